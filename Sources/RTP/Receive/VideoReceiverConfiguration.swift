import WireFormat

/// What was negotiated for a received video track, and the receiver's limits.
package struct VideoReceiverConfiguration: Sendable {
  /// By payload type.
  package var formats: [UInt8: VideoPayloadFormat]
  /// Our own SSRC in the feedback we send.
  package var localSSRC: UInt32
  /// The media SSRC where the description names one; otherwise the first packet's.
  package var signalledSSRC: UInt32?
  /// Both descriptions declare the platform's frame metadata: trailers are stripped.
  package var hasFrameMetadata = false
  /// `a=rtcp-fb nack`
  package var canRequestRetransmission = true
  /// `a=rtcp-fb nack pli`
  package var canSendPictureLoss = true
  /// `a=rtcp-fb ccm fir`; used only without the former.
  package var canSendFullIntraRequest = true
  /// How long frames are held to even out jitter; zero: each goes out the moment it can be decoded.
  package var playoutDelay = Interval.zero
  /// Packets kept while frames are incomplete: 2048 are two seconds at 10 Mbit/s. When full, all are given
  /// up and a keyframe is asked for.
  package var maximumPackets = 2048
  package var nackLimits = NACKGenerator.Limits()

  package init(formats: [UInt8: VideoPayloadFormat], localSSRC: UInt32) {
    self.formats = formats
    self.localSSRC = localSSRC
  }
}
