import CChecksum

/// The processor's own CRC-32C instruction, where it has one.
enum HardwareCRC32C {
  static let isAvailable = reactor_crc32c_hardware_available() != 0

  static func checksum(_ bytes: RawSpan) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return 0 }
      return unsafe ~reactor_crc32c_hardware(0xFFFF_FFFF, base, buffer.count)
    }
  }
}
