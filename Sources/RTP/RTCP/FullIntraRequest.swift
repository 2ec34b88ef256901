import WireFormat

/// FIR, payload-specific feedback format 4 (RFC 5104 section 4.3.1).
package struct FullIntraRequest: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var ssrc: UInt32
    /// A repetition keeps the number; only a new one asks for a new keyframe.
    package var sequenceNumber: UInt8

    package init(ssrc: UInt32, sequenceNumber: UInt8) {
      self.ssrc = ssrc
      self.sequenceNumber = sequenceNumber
    }
  }

  package var senderSSRC: UInt32
  package var entries: [Entry]

  package init(senderSSRC: UInt32, entries: [Entry]) {
    self.senderSSRC = senderSSRC
    self.entries = entries
  }

  static let format: UInt8 = 4

  init(body: RawSpan) throws(RTPError) {
    var reader = ByteReader(body)
    // The media source field is unused (section 4.3.1.2): the entries name the streams.
    guard let sender = try? reader.uint32(), (try? reader.skip(4)) != nil else { throw .truncated }
    senderSSRC = sender
    entries = []
    while let ssrc = try? reader.uint32(), let number = try? reader.uint8(), (try? reader.skip(3)) != nil {
      entries.append(Entry(ssrc: ssrc, sequenceNumber: number))
    }
  }

  func write(into writer: inout ByteWriter) {
    RTCPHeader.write(
      count: Int(FullIntraRequest.format), type: RTCPHeader.PacketType.payloadFeedback, into: &writer
    ) { writer in
      writer.write(senderSSRC)
      writer.write(0 as UInt32)
      for entry in entries {
        writer.write(entry.ssrc)
        writer.write(entry.sequenceNumber)
        writer.writeZeros(3)
      }
    }
  }
}
