import WireFormat

/// One attribute of a message, by its meaning.
package enum STUNAttribute: Hashable, Sendable {
  // RFC 8489
  case mappedAddress(SocketAddress)
  case xorMappedAddress(SocketAddress)
  case username(String)
  /// SHA-256 of username, colon and realm: 32 bytes.
  case userHash([UInt8])
  case messageIntegrity([UInt8])
  case messageIntegritySHA256([UInt8])
  case fingerprint(UInt32)
  case errorCode(STUNErrorCode)
  case unknownAttributes([UInt16])
  case realm(String)
  case nonce([UInt8])
  case passwordAlgorithms([STUNPasswordAlgorithm])
  case passwordAlgorithm(STUNPasswordAlgorithm)
  case software(String)
  case alternateServer(SocketAddress)
  case alternateDomain(String)
  // RFC 8445
  case priority(UInt32)
  case useCandidate
  case iceControlled(UInt64)
  case iceControlling(UInt64)
  // RFC 8656
  case channelNumber(UInt16)
  /// Seconds.
  case lifetime(UInt32)
  case xorPeerAddress(SocketAddress)
  case xorRelayedAddress(SocketAddress)
  case data([UInt8])
  case requestedAddressFamily(IPAddress.Family)
  case additionalAddressFamily(IPAddress.Family)
  case addressErrorCode(IPAddress.Family, STUNErrorCode)
  case evenPort(reserveNext: Bool)
  /// An IP protocol number; 17 is UDP.
  case requestedTransport(UInt8)
  case dontFragment
  case reservationToken(UInt64)
  case icmp(type: UInt8, code: UInt8, data: UInt32)
  // RFC 5780
  case responseOrigin(SocketAddress)
  case otherAddress(SocketAddress)
  /// A type that this module gives no meaning to, with its value.
  case unknown(UInt16, [UInt8])

  /// Whether the encoder computes it instead of copying it.
  var isComputed: Bool {
    switch self {
    case .messageIntegrity, .messageIntegritySHA256, .fingerprint: true
    default: false
    }
  }
}
