import WireFormat

/// BYE, packet type 203 (RFC 3550 section 6.6). A reason is read over.
package struct Goodbye: Hashable, Sendable {
  /// At most 31.
  package var sources: [UInt32]

  package init(sources: [UInt32]) {
    self.sources = sources
  }

  init(body: RawSpan, count: Int) throws(RTPError) {
    var reader = ByteReader(body)
    sources = []
    for _ in 0..<count {
      guard let source = try? reader.uint32() else { throw .truncated }
      sources.append(source)
    }
  }

  func write(into writer: inout ByteWriter) {
    let listed = sources.prefix(31)
    RTCPHeader.write(count: listed.count, type: RTCPHeader.PacketType.goodbye, into: &writer) { writer in
      for source in listed { writer.write(source) }
    }
  }
}
