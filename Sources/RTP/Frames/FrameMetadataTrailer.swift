import WireFormat

/// The platform's trailer behind an encoded video frame (docs/protocol.md, "Frame metadata"):
/// a protobuf message, its length as little-endian 32 bits, and the letters `RXMT`.
///
/// Written and stripped only where both descriptions declare `a=x-reactor-frame-metadata:1`.
package enum FrameMetadataTrailer {
  private static let magic: [UInt8] = [0x52, 0x58, 0x4D, 0x54]
  private static let footerSize = 8

  private enum Tag {
    static let frameID: UInt64 = 1 << 3
    static let captureTime: UInt64 = 2 << 3
    static let userData: UInt64 = 3 << 3 | 2
  }

  /// Appends the trailer to a frame's bytes. Zero numbers and absent user data are left out, as protobuf does.
  package static func append(_ metadata: FrameMetadata, to frame: inout [UInt8]) {
    var writer = ByteWriter(capacity: 32 + (metadata.userData?.count ?? 0))
    if metadata.frameID != 0 {
      writer.writeVarint(Tag.frameID)
      writer.writeVarint(metadata.frameID)
    }
    if metadata.captureTimeUs != 0 {
      writer.writeVarint(Tag.captureTime)
      writer.writeVarint(metadata.captureTimeUs)
    }
    if let userData = metadata.userData {
      writer.writeVarint(Tag.userData)
      writer.writeVarint(UInt64(userData.count))
      writer.write(userData)
    }
    writer.writeLittleEndian(UInt32(clamping: writer.count))
    writer.write(magic)
    frame.append(contentsOf: writer.bytes)
  }

  /// Cuts the trailer off and returns what it said; nil, and the frame as it was, when there is none, or one
  /// whose length or message is broken.
  package static func strip(from frame: inout [UInt8]) -> FrameMetadata? {
    let bodyEnd = frame.count - footerSize
    guard bodyEnd >= 0, frame[(bodyEnd + 4)...].elementsEqual(magic) else { return nil }
    let parsed = parse(frame.rawSpan, bodyEnd: bodyEnd)
    guard let (metadata, size) = parsed else { return nil }
    frame.removeLast(size)
    return metadata
  }

  private static func parse(_ frame: RawSpan, bodyEnd: Int) -> (FrameMetadata, Int)? {
    var footer = ByteReader(frame.clamped(bodyEnd..<frame.byteCount))
    guard let length = try? footer.uint32LittleEndian(), Int(length) <= bodyEnd else { return nil }
    let message = frame.clamped((bodyEnd &- Int(length))..<bodyEnd)
    guard let metadata = try? FrameMetadata(parsing: message) else { return nil }
    return (metadata, Int(length) &+ footerSize)
  }
}

extension FrameMetadata {
  /// Reads the protobuf message; unknown fields are passed over.
  fileprivate init(parsing message: RawSpan) throws {
    self.init()
    var reader = ByteReader(message)
    while !reader.isAtEnd {
      let tag = try reader.varint()
      guard tag &>> 3 != 0 else { throw RTPError.malformed }
      switch (tag &>> 3, tag & 7) {
      case (1, 0): frameID = try reader.varint()
      case (2, 0): captureTimeUs = try reader.varint()
      case (3, 2): userData = try reader.bytes(try length(&reader)).copyBytes()
      case (_, 0): _ = try reader.varint()
      case (_, 1): try reader.skip(8)
      case (_, 2): try reader.skip(try length(&reader))
      case (_, 5): try reader.skip(4)
      default: throw RTPError.malformed
      }
    }
  }

  private func length(_ reader: inout ByteReader) throws -> Int {
    guard let count = Int(exactly: try reader.varint()) else { throw RTPError.malformed }
    return count
  }
}
