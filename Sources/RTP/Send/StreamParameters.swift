/// What was negotiated for one sending track.
package struct StreamParameters: Hashable, Sendable {
  package var ssrc: UInt32
  package var payloadType: UInt8
  /// Ticks a second of the RTP timestamp.
  package var clockRate: UInt32
  /// nil: lost packets are sent again as they were, where the peer asks for it.
  package var rtx: RTXParameters?
  /// The media section; written into packets until the peer has reported on the stream.
  package var mid: String?
  package var extensions: HeaderExtensionMap
  /// Whether `a=rtcp-fb … nack` was negotiated; without it nothing is kept for sending again.
  package var answersNACK: Bool
  /// Bytes of an RTP packet at most, header included, before SRTP and UDP.
  package var maximumPacketSize: Int

  package init(
    ssrc: UInt32, payloadType: UInt8, clockRate: UInt32, rtx: RTXParameters? = nil, mid: String? = nil,
    extensions: HeaderExtensionMap = HeaderExtensionMap(), answersNACK: Bool = true,
    maximumPacketSize: Int = 1200
  ) {
    self.ssrc = ssrc
    self.payloadType = payloadType
    self.clockRate = clockRate
    self.rtx = rtx
    self.mid = mid
    self.extensions = extensions
    self.answersNACK = answersNACK
    self.maximumPacketSize = min(max(200, maximumPacketSize), 1900)
  }
}
