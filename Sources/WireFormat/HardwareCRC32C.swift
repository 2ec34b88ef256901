import CChecksum

/// The processor's own CRC-32C instruction, where it has one.
enum HardwareCRC32C {
  static let isAvailable = reactor_crc32c_hardware_available() != 0

  static func checksum(_ bytes: RawSpan) -> UInt32 {
    checksum(bytes, continuing: 0)
  }

  static func checksum(_ bytes: RawSpan, continuing checksum: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return checksum }
      return unsafe ~reactor_crc32c_hardware(~checksum, base, buffer.count)
    }
  }
}
