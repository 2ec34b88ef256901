/// The retransmission stream beside a media stream (RFC 4588, SSRC-multiplexed).
package struct RTXParameters: Hashable, Sendable {
  package var ssrc: UInt32
  package var payloadType: UInt8

  package init(ssrc: UInt32, payloadType: UInt8) {
    self.ssrc = ssrc
    self.payloadType = payloadType
  }
}
