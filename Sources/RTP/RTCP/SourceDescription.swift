import WireFormat

/// SDES, packet type 202, of which only the canonical name is kept (RFC 3550 section 6.5).
package struct SourceDescription: Hashable, Sendable {
  package struct Chunk: Hashable, Sendable {
    package var ssrc: UInt32
    /// nil when the chunk has no CNAME item.
    package var canonicalName: String?

    package init(ssrc: UInt32, canonicalName: String?) {
      self.ssrc = ssrc
      self.canonicalName = canonicalName
    }
  }

  /// At most 31.
  package var chunks: [Chunk]

  package init(chunks: [Chunk]) {
    self.chunks = chunks
  }

  private static let canonicalNameItem: UInt8 = 1

  init(body: RawSpan, count: Int) throws(RTPError) {
    var reader = ByteReader(body)
    chunks = []
    do {
      for _ in 0..<count {
        var chunk = Chunk(ssrc: try reader.uint32(), canonicalName: nil)
        while true {
          let type = try reader.uint8()
          if type == 0 { break }
          let text = try reader.bytes(Int(try reader.uint8()))
          if type == SourceDescription.canonicalNameItem {
            chunk.canonicalName = String(decoding: text.copyBytes(), as: UTF8.self)
          }
        }
        // The list of items ends with a zero byte and is padded with more to a whole word.
        try reader.skip((4 &- reader.offset % 4) % 4)
        chunks.append(chunk)
      }
    } catch {
      throw .truncated
    }
  }

  func write(into writer: inout ByteWriter) {
    let listed = chunks.prefix(31)
    RTCPHeader.write(count: listed.count, type: RTCPHeader.PacketType.sourceDescription, into: &writer) {
      writer in
      for chunk in listed {
        let start = writer.count
        writer.write(chunk.ssrc)
        if let name = chunk.canonicalName {
          let text = Array(name.utf8.prefix(255))
          writer.write(SourceDescription.canonicalNameItem)
          writer.write(UInt8(truncatingIfNeeded: text.count))
          writer.write(text)
        }
        writer.write(0 as UInt8)
        writer.writeZeros((4 - (writer.count - start) % 4) % 4)
      }
    }
  }
}
