import Testing
import TestSupport
import WireFormat

struct BitReaderTests {
  @Test func `reads bits, the most significant first, across bytes`() throws {
    let bytes = hex("B5 2F FF 00 80")
    var reader = BitReader(bytes.rawSpan)
    let parts = [
      try reader.bits(1), try reader.bits(2), try reader.bits(5), try reader.bits(0), try reader.bits(12),
    ]
    let (flag, word, left) = (try reader.flag(), try reader.bits(18), reader.remainingBits)
    #expect(parts == [1, 1, 0x15, 0, 0x2FF])
    #expect(flag)
    // 111 0000 0000 1000 0000 without its last bit.
    #expect(word == 0b111_0000_0000_1000_000)
    #expect(left == 1)
  }

  @Test func `reads 32 bits at any position`() throws {
    for skip in 0..<8 {
      let bytes = hex("FFFFFFFFFF")
      var reader = BitReader(bytes.rawSpan)
      _ = try reader.bits(skip)
      let value = try reader.bits(32)
      #expect(value == .max)
    }
  }

  @Test(arguments: [-1, 9, 33, Int.max, Int.min])
  func `counts that are not there throw and move nothing`(count: Int) {
    let bytes: [UInt8] = [0xA5]
    var reader = BitReader(bytes.rawSpan)
    do {
      _ = try reader.bits(count)
      Issue.record("read \(count) bits")
    } catch {
      guard case .truncated(_, 1) = error else {
        Issue.record("unexpected \(error)")
        return
      }
    }
    let left = reader.remainingBits
    #expect(left == 8)
  }

  @Test func `nothing can be read from nothing`() {
    let bytes: [UInt8] = []
    var reader = BitReader(bytes.rawSpan)
    let flag = try? reader.flag()
    #expect(flag == nil)
    let nothing = try? reader.bits(0)
    #expect(nothing == 0)
  }

  @Test func `bits put together are the bytes`() throws {
    var random = RandomSource(seed: 3)
    for _ in 0..<200 {
      let bytes = random.bytes(Int.random(in: 1...20, using: &random))
      var reader = BitReader(bytes.rawSpan)
      var text = ""
      while reader.remainingBits > 0 {
        let count = min(reader.remainingBits, Int.random(in: 1...32, using: &random))
        let digits = String(try reader.bits(count), radix: 2)
        text += String(repeating: "0", count: count - digits.count) + digits
      }
      let expected = bytes.map { byte in
        let digits = String(byte, radix: 2)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }.joined()
      #expect(text == expected)
    }
  }
}
