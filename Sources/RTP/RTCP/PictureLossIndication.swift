import WireFormat

/// PLI, payload-specific feedback format 1 (RFC 4585 section 6.3.1).
package struct PictureLossIndication: Hashable, Sendable {
  package var senderSSRC: UInt32
  package var mediaSSRC: UInt32

  package init(senderSSRC: UInt32, mediaSSRC: UInt32) {
    self.senderSSRC = senderSSRC
    self.mediaSSRC = mediaSSRC
  }

  static let format: UInt8 = 1

  init(body: RawSpan) throws(RTPError) {
    var reader = ByteReader(body)
    guard let sender = try? reader.uint32(), let media = try? reader.uint32() else { throw .truncated }
    senderSSRC = sender
    mediaSSRC = media
  }

  func write(into writer: inout ByteWriter) {
    RTCPHeader.write(
      count: Int(PictureLossIndication.format), type: RTCPHeader.PacketType.payloadFeedback, into: &writer
    ) { writer in
      writer.write(senderSSRC)
      writer.write(mediaSSRC)
    }
  }
}
