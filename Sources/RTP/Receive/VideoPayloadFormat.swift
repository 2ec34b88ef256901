/// What an RTP payload type of a video section stands for.
package enum VideoPayloadFormat: Hashable, Sendable {
  case media(VideoCodec)
  /// Retransmissions (RFC 4588) of packets of the payload type `associated` (`apt`).
  case retransmission(associated: UInt8)
  /// RED (RFC 2198), whose primary block is media of another payload type.
  case redundant
}
