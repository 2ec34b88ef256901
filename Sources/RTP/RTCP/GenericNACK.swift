import WireFormat

/// Generic NACK, transport feedback format 1 (RFC 4585 section 6.2.1).
package struct GenericNACK: Hashable, Sendable {
  /// A sequence number and which of the 16 after it are missing too: bit 0 is the next one.
  package struct Entry: Hashable, Sendable {
    package var packetID: UInt16
    package var followingLost: UInt16

    package init(packetID: UInt16, followingLost: UInt16) {
      self.packetID = packetID
      self.followingLost = followingLost
    }
  }

  package var senderSSRC: UInt32
  package var mediaSSRC: UInt32
  package var entries: [Entry]

  package init(senderSSRC: UInt32, mediaSSRC: UInt32, entries: [Entry]) {
    self.senderSSRC = senderSSRC
    self.mediaSSRC = mediaSSRC
    self.entries = entries
  }

  /// - Parameter lost: sequence numbers, oldest first.
  package init(senderSSRC: UInt32, mediaSSRC: UInt32, lost: [UInt16]) {
    self.init(senderSSRC: senderSSRC, mediaSSRC: mediaSSRC, entries: [])
    for number in lost {
      if let last = entries.indices.last {
        let distance = number &- entries[last].packetID
        if distance == 0 { continue }
        if distance <= 16 {
          entries[last].followingLost |= 1 &<< (distance &- 1)
          continue
        }
      }
      entries.append(Entry(packetID: number, followingLost: 0))
    }
  }

  /// The sequence numbers asked for, in the order of the entries.
  package var lost: [UInt16] {
    var numbers: [UInt16] = []
    for entry in entries {
      numbers.append(entry.packetID)
      for bit in 0..<16 as Range<UInt16> where entry.followingLost &>> bit & 1 == 1 {
        numbers.append(entry.packetID &+ bit &+ 1)
      }
    }
    return numbers
  }

  static let format: UInt8 = 1

  init(body: RawSpan) throws(RTPError) {
    var reader = ByteReader(body)
    guard let sender = try? reader.uint32(), let media = try? reader.uint32() else { throw .truncated }
    senderSSRC = sender
    mediaSSRC = media
    entries = []
    while let packetID = try? reader.uint16(), let mask = try? reader.uint16() {
      entries.append(Entry(packetID: packetID, followingLost: mask))
    }
  }

  func write(into writer: inout ByteWriter) {
    RTCPHeader.write(
      count: Int(GenericNACK.format), type: RTCPHeader.PacketType.transportFeedback, into: &writer
    ) { writer in
      writer.write(senderSSRC)
      writer.write(mediaSSRC)
      for entry in entries {
        writer.write(entry.packetID)
        writer.write(entry.followingLost)
      }
    }
  }
}
