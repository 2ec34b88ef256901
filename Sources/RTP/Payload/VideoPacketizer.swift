import WireFormat

/// Cuts encoded frames into RTP payloads of about equal size (RFC 7741, RFC 9628 in flexible mode).
///
/// Nothing is copied here: ``PacketizedVideoFrame`` says how many payloads there are and writes each of them
/// straight into its packet.
package struct VideoPacketizer: Sendable {
  package let codec: VideoCodec
  private var nextPictureID: PictureID

  /// - Parameter firstPictureID: random in real life (15 bits are used).
  package init(codec: VideoCodec, firstPictureID: UInt16) {
    self.codec = codec
    nextPictureID = PictureID(firstPictureID)
  }

  /// - Parameters:
  ///   - byteCount: the frame's bytes, its metadata trailer included.
  ///   - width: with `height` announced in VP9 keyframes; 0 when not known.
  ///   - maximumPayloadSize: bytes of RTP payload a packet, descriptor included; at least 32 are used.
  package mutating func packetize(
    byteCount: Int, isKeyframe: Bool, width: Int, height: Int, maximumPayloadSize: Int
  ) -> PacketizedVideoFrame {
    let pictureID = nextPictureID
    nextPictureID = nextPictureID.next
    let descriptor: PacketizedVideoFrame.Descriptor
    switch codec {
    case .vp8:
      var first = VP8PayloadDescriptor()
      first.pictureID = pictureID
      descriptor = .vp8(first)
    case .vp9:
      var first = VP9PayloadDescriptor()
      first.pictureID = pictureID
      first.isFlexible = true
      first.isNotSpatialReference = true
      first.isInterPredicted = !isKeyframe
      // The encoder may refer further back too, but never to a picture before the last one's own references:
      // with the previous picture there, so are those.
      if !isKeyframe { first.references.append(1) }
      if isKeyframe, let width = UInt16(exactly: width), let height = UInt16(exactly: height), width > 0,
        height > 0
      {
        first.scalability = VP9PayloadDescriptor.ScalabilityStructure(
          size: .init(width: width, height: height))
      }
      descriptor = .vp9(first)
    }
    return PacketizedVideoFrame(
      descriptor: descriptor, byteCount: byteCount, maximumPayloadSize: max(32, maximumPayloadSize))
  }
}
