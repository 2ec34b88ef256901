import WireFormat

/// The four bytes that begin each RTCP packet (RFC 3550 section 6.4.1).
struct RTCPHeader {
  enum PacketType {
    static let senderReport: UInt8 = 200
    static let receiverReport: UInt8 = 201
    static let sourceDescription: UInt8 = 202
    static let goodbye: UInt8 = 203
    static let transportFeedback: UInt8 = 205
    static let payloadFeedback: UInt8 = 206
  }

  /// Report count, source count or feedback format, by packet type.
  var count: UInt8
  var type: UInt8
  var hasPadding: Bool
  /// Bytes that follow this header, padding included.
  var bodyLength: Int

  init(reading reader: inout ByteReader) throws(RTPError) {
    guard let first = try? reader.uint8(), let type = try? reader.uint8(), let words = try? reader.uint16()
    else { throw .truncated }
    guard first &>> 6 == 2 else { throw .unsupportedVersion(first &>> 6) }
    count = first & 0x1F
    hasPadding = first & 0x20 != 0
    self.type = type
    bodyLength = Int(words) &* 4
  }

  /// Writes a header, then what `body` writes, and fills in the length; pads the body to whole words.
  static func write(
    count: Int, type: UInt8, into writer: inout ByteWriter, body: (inout ByteWriter) -> Void
  ) {
    let start = writer.count
    writer.write(0x80 | UInt8(truncatingIfNeeded: count & 0x1F))
    writer.write(type)
    writer.write(0 as UInt16)
    body(&writer)
    writer.writeZeros((4 - (writer.count - start) % 4) % 4)
    writer.set(UInt16(truncatingIfNeeded: (writer.count - start) / 4 - 1), at: start + 2)
  }
}
