import ICE
import RTP
import WireFormat

/// What one connection is to do, settled before it is made.
package struct PeerConnectionConfiguration: Sendable {
  /// Only relayed candidates are used: the peer never learns a local address.
  package var relayOnly = false
  /// Offer to take and send frame-metadata trailers.
  package var frameMetadata = true
  /// The largest chunked message accepted; nil: chunking is not offered.
  package var chunkingMaxMessageSize: UInt64? = 64 << 20
  /// `a=max-message-size`: the largest plain data-channel message accepted.
  package var maxMessageSize: UInt64 = 262_144
  /// Offer the association's handshake in the description (`a=sctp-init`).
  package var offersSCTPInit = true
  /// Video codecs in order of preference.
  package var videoCodecs: [VideoCodec] = [.vp8, .vp9]
  /// Unix time in nanoseconds at the origin of the clock that drives the connection, for sender reports.
  package var unixTimeAtOrigin: Int64 = 0

  package init() {}
}
