/// The video codecs of this package.
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  case vp8 = "VP8"
  case vp9 = "VP9"
}

/// One encoded picture on its way from an encoder to the packetizer, or from the assembler to a decoder.
package struct EncodedVideoFrame: Sendable {
  package var codec: VideoCodec
  /// The codec's bitstream, without any metadata trailer.
  package var data: [UInt8]
  package var isKeyframe: Bool
  /// 90 kHz RTP clock, before the sender's random offset (sending) or as received (receiving).
  package var rtpTimestamp: UInt32
  /// Pixels; 0 where not known (a received delta frame, say).
  package var width: Int
  package var height: Int
  /// What the platform's trailer carried, or is to carry.
  package var metadata: FrameMetadata?
  /// What the sender said of a received frame's colours; nil: what the bitstream says holds.
  package var colourSpace: VideoColourSpace?

  package init(
    codec: VideoCodec, data: [UInt8], isKeyframe: Bool, rtpTimestamp: UInt32, width: Int = 0, height: Int = 0,
    metadata: FrameMetadata? = nil
  ) {
    self.codec = codec
    self.data = data
    self.isKeyframe = isKeyframe
    self.rtpTimestamp = rtpTimestamp
    self.width = width
    self.height = height
    self.metadata = metadata
  }
}
