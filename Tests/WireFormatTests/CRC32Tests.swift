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

  // RFC 5769 sections 2.1 to 2.3 end in FINGERPRINT: the CRC-32 of everything before it, XOR "STUN".
  @Test func `the fingerprint of a published STUN message comes out`() {
    let message = hex(
      """
      000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff
      80290008932ff9b151263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249
      c1b571a2
      """)
    #expect(CRC32.checksum(message.rawSpan) ^ 0x5354_554E == 0xE57A_3BCF)
  }

  @Test func `nothing has a checksum too`() {
    #expect(CRC32.checksum([UInt8]().rawSpan) == 0)
    #expect(CRC32C.checksum([UInt8]().rawSpan) == 0)
    #expect(CRC32C.portableChecksum([UInt8]().rawSpan) == 0)
  }

  @Test func `CRC-32 agrees with a bit-by-bit one at every length`() {
    var random = RandomSource(seed: 2)
    let bytes = random.bytes(100)
    for end in 0...100 {
      var crc: UInt32 = 0xFFFF_FFFF
      for byte in bytes[..<end] {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      let part = Array(bytes[..<end])
      #expect(CRC32.checksum(part.rawSpan) == ~crc)
    }
  }
}
