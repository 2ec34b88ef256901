/// Where a connection stands (W3C RTCPeerConnectionState), with the reason where there is one.
package enum PeerConnectionState: Hashable, Sendable {
  /// Nothing has been negotiated.
  case new
  /// Checks or the handshake are under way.
  case connecting
  /// Media and data flow.
  case connected
  /// The path has been silent for some seconds; it may come back by itself.
  case disconnected
  /// It will not come back by itself. An ICE restart may help where ICE is what failed.
  case failed(PeerConnectionFailure)
  /// Closed here, or by the peer in good order.
  case closed
}

/// Why a connection failed.
package enum PeerConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No candidate pair works, or consent ran out.
  case noPath
  /// The handshake failed, or the peer is not who its description says it is.
  case handshake(String)
  /// The data channels' association broke down.
  case dataChannels(String)

  package var description: String {
    switch self {
    case .noPath: "no network path to the peer works"
    case .handshake(let reason): "the DTLS handshake failed: \(reason)"
    case .dataChannels(let reason): "the SCTP association failed: \(reason)"
    }
  }
}
