/// CRC-32 (ISO 3309, polynomial 0xEDB88320), as STUN's FINGERPRINT uses it (RFC 8489 section 14.7).
package enum CRC32 {
  private static let tables = SlicingTables(polynomial: 0xEDB8_8320)

  package static func checksum(_ bytes: RawSpan) -> UInt32 {
    ~tables.update(0xFFFF_FFFF, bytes)
  }
}

/// CRC-32C (Castagnoli, polynomial 0x82F63B78), as SCTP uses it (RFC 9260 appendix A).
package enum CRC32C {
  private static let tables = SlicingTables(polynomial: 0x82F6_3B78)

  package static func checksum(_ bytes: RawSpan) -> UInt32 {
    HardwareCRC32C.isAvailable ? HardwareCRC32C.checksum(bytes) : portableChecksum(bytes)
  }

  /// The checksum of what `checksum` covers followed by `bytes`: `checksum(a + b)` without joining them.
  package static func checksum(_ bytes: RawSpan, continuing checksum: UInt32) -> UInt32 {
    HardwareCRC32C.isAvailable
      ? HardwareCRC32C.checksum(bytes, continuing: checksum) : ~tables.update(~checksum, bytes)
  }

  /// The table-driven one, for processors without the instruction.
  package static func portableChecksum(_ bytes: RawSpan) -> UInt32 {
    ~tables.update(0xFFFF_FFFF, bytes)
  }
}

/// Slicing-by-8: eight tables let one step take eight bytes.
private struct SlicingTables: Sendable {
  private let table: [UInt32]

  init(polynomial: UInt32) {
    var table = [UInt32](repeating: 0, count: 8 * 256)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 {
        value = value & 1 == 1 ? value &>> 1 ^ polynomial : value &>> 1
      }
      table[index] = value
    }
    for slice in 1..<8 {
      for index in 0..<256 {
        let previous = table[(slice - 1) * 256 + index]
        table[slice * 256 + index] = previous &>> 8 ^ table[Int(previous & 0xFF)]
      }
    }
    self.table = table
  }

  func update(_ initial: UInt32, _ bytes: RawSpan) -> UInt32 {
    let lookup = table.span
    var crc = initial
    var offset = 0
    let whole = bytes.byteCount & ~7
    while offset < whole {
      let low = UInt32(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
      let high = UInt32(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 4, as: UInt32.self))
      let mixed = low ^ crc
      crc =
        lookup[7 &* 256 &+ Int(mixed & 0xFF)] ^ lookup[6 &* 256 &+ Int(mixed &>> 8 & 0xFF)]
        ^ lookup[5 &* 256 &+ Int(mixed &>> 16 & 0xFF)] ^ lookup[4 &* 256 &+ Int(mixed &>> 24)]
        ^ lookup[3 &* 256 &+ Int(high & 0xFF)] ^ lookup[2 &* 256 &+ Int(high &>> 8 & 0xFF)]
        ^ lookup[256 &+ Int(high &>> 16 & 0xFF)] ^ lookup[Int(high &>> 24)]
      offset &+= 8
    }
    while offset < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      crc = crc &>> 8 ^ lookup[Int((crc ^ UInt32(byte)) & 0xFF)]
      offset &+= 1
    }
    return crc
  }
}
