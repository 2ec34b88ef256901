import WireFormat

/// A picture number of 7 or 15 bits, as VP8 and VP9 descriptors carry it.
package struct PictureID: Hashable, Sendable {
  package var value: UInt16
  /// Whether it wraps at 2^15, not at 2^7.
  package var isLong: Bool

  /// - Parameter value: cut down to its 7 or 15 bits.
  package init(_ value: UInt16, isLong: Bool = true) {
    self.value = value & (isLong ? 0x7FFF : 0x7F)
    self.isLong = isLong
  }

  init(reading reader: inout ByteReader) throws(WireError) {
    let first = try reader.uint8()
    isLong = first & 0x80 != 0
    value = UInt16(first & 0x7F)
    if isLong { value = value &<< 8 | UInt16(try reader.uint8()) }
  }

  var encodedSize: Int { isLong ? 2 : 1 }

  func write(into packet: PacketBuffer) throws(WireError) {
    if isLong {
      try packet.append(value | 0x8000)
    } else {
      try packet.append(UInt8(truncatingIfNeeded: value))
    }
  }

  package var next: PictureID { advanced(by: 1) }

  package func advanced(by steps: UInt16) -> PictureID {
    PictureID(value &+ steps, isLong: isLong)
  }

  /// Steps from `other` to this one by the shorter way round; negative when it lies behind.
  ///
  /// A change between 7 and 15 bits in mid-stream compares by the shorter form.
  package func distance(from other: PictureID) -> Int {
    let bits: UInt16 = isLong && other.isLong ? 15 : 7
    let mask = UInt16(1) &<< bits &- 1
    let steps = Int((value &- other.value) & mask)
    return steps > Int(mask / 2) ? steps - Int(mask) - 1 : steps
  }
}
