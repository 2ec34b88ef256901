import Testing
import TestSupport
import WireFormat

struct CRC32Tests {
  @Test func `CRC-32 of the check string is the published one`() {
    #expect(CRC32.checksum(Array("123456789".utf8).rawSpan) == 0xCBF4_3926)
  }

  // RFC 3720 appendix B.4 prints them byte by byte, least significant first.
  @Test(
    arguments: [
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      ([UInt8](0..<32), 0x46DD_794E),
      ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
      (Array("123456789".utf8), 0xE306_9283),
    ] as [([UInt8], UInt32)])
  func `CRC-32C matches the published vectors`(bytes: [UInt8], expected: UInt32) {
    #expect(CRC32C.checksum(bytes.rawSpan) == expected)
    #expect(CRC32C.portableChecksum(bytes.rawSpan) == expected)
  }

  @Test func `table and hardware agree at every length and alignment`() {
    var random = RandomSource(seed: 1)
    let bytes = random.bytes(300)
    for start in 0..<9 {
      for end in stride(from: start, through: 300, by: 7) {
        let part = bytes.rawSpan.clamped(start..<end)
        #expect(CRC32C.checksum(part) == CRC32C.portableChecksum(part))
      }
    }
  }
}
