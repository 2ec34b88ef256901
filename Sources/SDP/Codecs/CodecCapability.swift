/// A codec that this side can use, before it has a payload type.
package struct CodecCapability: Hashable, Sendable {
  package var name: String
  package var clockRate: UInt32
  package var channels: UInt8
  package var parameters: FormatParameters
  package var feedback: [RTCPFeedback]
  /// Whether an `rtx` format goes with it.
  package var hasRetransmission: Bool

  package init(
    name: String, clockRate: UInt32, channels: UInt8 = 1, parameters: FormatParameters = FormatParameters(),
    feedback: [RTCPFeedback] = [], hasRetransmission: Bool = false
  ) {
    self.name = name
    self.clockRate = clockRate
    self.channels = channels
    self.parameters = parameters
    self.feedback = feedback
    self.hasRetransmission = hasRetransmission
  }

  package static let vp8 = video("VP8")
  // Written out although 0 is the default: runtime 2.10 drops VP9 without it.
  package static let vp9 = video("VP9", "profile-id=0")
  package static let av1 = video("AV1", "level-idx=5;profile=0;tier=0")
  package static let h264 = video(
    "H264", "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f")
  // minptime=20, not the usual 10: runtime 2.10 makes packets of just that length, and 10 ms ones would
  // double the packet rate. A peer that offers 10 is answered all the same.
  package static let opus = CodecCapability(
    name: "opus", clockRate: 48000, channels: 2, parameters: "minptime=20;useinbandfec=1",
    feedback: [.transportWideCC])

  package static func video(
    _ name: String, _ parameters: FormatParameters = FormatParameters()
  )
    -> CodecCapability
  {
    CodecCapability(
      name: name, clockRate: 90000, parameters: parameters, feedback: RTCPFeedback.video,
      hasRetransmission: true)
  }

  /// The same with a payload type.
  package func description(payloadType: UInt8, retransmission: UInt8? = nil) -> CodecDescription {
    CodecDescription(
      payloadType: payloadType, name: name, clockRate: clockRate, channels: channels, parameters: parameters,
      feedback: feedback, retransmissionPayloadType: retransmission)
  }

  func matches(_ codec: CodecDescription) -> Bool {
    codec.isSameFormat(as: description(payloadType: codec.payloadType))
  }
}
