import WireFormat

/// What a video packet's payload says that matters for assembling frames, whatever the codec.
package struct VideoPayload: Hashable, Sendable {
  /// Where the codec's bitstream begins in the payload.
  package private(set) var bitstreamOffset = 0
  package private(set) var beginsFrame = false
  /// Whether a picture ends here; nil when the codec's descriptor can't tell and the RTP marker has to.
  package private(set) var endsFrame: Bool?
  /// Means something in the first packet of a frame only.
  package private(set) var isKeyframe = false
  /// Pixels, in the first packet of a keyframe; otherwise 0.
  package private(set) var width = 0
  package private(set) var height = 0
  package private(set) var dependencies = FrameDependencies()

  /// Of a packet without payload.
  static let padding = VideoPayload()

  private init() {}

  /// Reads a packet's payload (without RTP header and padding).
  package init(parsing payload: RawSpan, codec: VideoCodec) throws(RTPError) {
    switch codec {
    case .vp8: try self.init(vp8: payload)
    case .vp9: try self.init(vp9: payload)
    }
  }

  private init(vp8 payload: RawSpan) throws(RTPError) {
    var reader = ByteReader(payload)
    let descriptor = try VP8PayloadDescriptor(reading: &reader)
    bitstreamOffset = reader.offset
    beginsFrame = descriptor.beginsFrame
    dependencies.pictureID = descriptor.pictureID
    dependencies.isNonReference = descriptor.isNonReference
    if let index = descriptor.baseLayerIndex, let temporalID = descriptor.temporalID {
      dependencies.temporalLayer = FrameDependencies.TemporalLayer(
        id: temporalID, baseLayerIndex: index, isSwitchingPoint: descriptor.isLayerSync)
    }
    // Bit 0 of the frame tag is 0 in keyframes (RFC 6386 section 9.1).
    guard beginsFrame, let tag = reader.peek(), tag & 1 == 0 else { return }
    isKeyframe = true
    guard reader.peek(3) == 0x9D, reader.peek(4) == 0x01, reader.peek(5) == 0x2A,
      let widthLow = reader.peek(6), let widthHigh = reader.peek(7), let heightLow = reader.peek(8),
      let heightHigh = reader.peek(9)
    else { return }
    width = Int(widthHigh & 0x3F) &<< 8 | Int(widthLow)
    height = Int(heightHigh & 0x3F) &<< 8 | Int(heightLow)
  }

  private init(vp9 payload: RawSpan) throws(RTPError) {
    var reader = ByteReader(payload)
    let descriptor = try VP9PayloadDescriptor(reading: &reader)
    bitstreamOffset = reader.offset
    // A picture is its spatial layers one after the other: it begins with the lowest, and only the marker
    // tells which layer is its highest.
    let spatialID = descriptor.layer?.spatialID ?? 0
    beginsFrame = descriptor.beginsFrame && spatialID == 0
    endsFrame = descriptor.layer == nil ? descriptor.endsFrame : nil
    isKeyframe = beginsFrame && !descriptor.isInterPredicted
    if let size = descriptor.scalability?.size {
      width = Int(size.width)
      height = Int(size.height)
    }
    dependencies.pictureID = descriptor.pictureID
    if descriptor.isFlexible {
      dependencies.references = descriptor.references
    } else if let layer = descriptor.layer, let index = layer.baseLayerIndex {
      dependencies.temporalLayer = FrameDependencies.TemporalLayer(
        id: layer.temporalID, baseLayerIndex: index, isSwitchingPoint: layer.isSwitchingPoint)
    }
  }
}
