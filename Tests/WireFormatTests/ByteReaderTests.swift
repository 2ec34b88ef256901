import Testing
import TestSupport
import WireFormat

struct ByteReaderTests {
  @Test func `reads integers in network order`() throws {
    let bytes = hex("01 0203 040506 0708090A 0B0C0D0E0F101112")
    var reader = ByteReader(bytes.rawSpan)
    let (first, second, third) = (try reader.uint8(), try reader.uint16(), try reader.uint24())
    let (fourth, fifth) = (try reader.uint32(), try reader.uint64())
    let isAtEnd = reader.isAtEnd
    #expect(first == 0x01 && second == 0x0203 && third == 0x04_0506)
    #expect(fourth == 0x0708_090A && fifth == 0x0B0C_0D0E_0F10_1112)
    #expect(isAtEnd)
  }

  @Test func `reads little-endian where protocols want it`() throws {
    let bytes = hex("0E000000 000000000000F03F")
    var reader = ByteReader(bytes.rawSpan)
    let length = try reader.uint32LittleEndian()
    let one = Double(bitPattern: try reader.uint64LittleEndian())
    #expect(length == 14 && one == 1)
  }

  @Test func `unaligned integers are read like others`() throws {
    for start in 0..<8 {
      let bytes = [UInt8](repeating: 0xEE, count: start) + hex("0102030405060708")
      var reader = ByteReader(bytes.rawSpan)
      try reader.skip(start)
      let value = try reader.uint64()
      #expect(value == 0x0102_0304_0506_0708)
    }
  }

  // Each reader asks for more than is left, and must stay where it is.
  @Test(arguments: 0..<8)
  func `a read past the end throws and moves nothing`(count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    func attempt(_ size: Int, _ read: (inout ByteReader) throws(WireError) -> Void) {
      var reader = ByteReader(bytes.rawSpan)
      do {
        try read(&reader)
        #expect(size <= count)
      } catch {
        #expect(error == .truncated(needed: size, available: count))
        let offset = reader.offset
        #expect(offset == 0)
      }
    }
    attempt(1) { reader throws(WireError) in _ = try reader.uint8() }
    attempt(2) { reader throws(WireError) in _ = try reader.uint16() }
    attempt(3) { reader throws(WireError) in _ = try reader.uint24() }
    attempt(4) { reader throws(WireError) in _ = try reader.uint32() }
    attempt(4) { reader throws(WireError) in _ = try reader.uint32LittleEndian() }
    attempt(8) { reader throws(WireError) in _ = try reader.uint64() }
    attempt(8) { reader throws(WireError) in _ = try reader.uint64LittleEndian() }
    attempt(5) { reader throws(WireError) in _ = try reader.bytes(5) }
    attempt(5) { reader throws(WireError) in try reader.skip(5) }
    attempt(.max) { reader throws(WireError) in try reader.skip(.max) }
  }

  @Test func `negative counts throw`() {
    let bytes: [UInt8] = [1, 2, 3]
    var reader = ByteReader(bytes.rawSpan)
    do {
      try reader.skip(2)
      try reader.skip(-1)
      Issue.record("skipped backwards")
    } catch {
      #expect(error == .truncated(needed: -1, available: 1))
    }
    do {
      _ = try reader.bytes(.min)
      Issue.record("took a negative count of bytes")
    } catch {
      #expect(error == .truncated(needed: .min, available: 1))
    }
  }

  @Test func `slices and the rest are views of the same bytes`() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5]
    var reader = ByteReader(bytes.rawSpan)
    let head = try reader.bytes(2).copyBytes()
    let none = try reader.bytes(0).copyBytes()
    let rest = reader.rest().copyBytes()
    let nothing = reader.rest().copyBytes()
    #expect(head == [1, 2] && none.isEmpty && rest == [3, 4, 5] && nothing.isEmpty)
  }

  @Test func `peeking reads nothing and sees nothing outside`() throws {
    let bytes: [UInt8] = [1, 2, 3]
    var reader = ByteReader(bytes.rawSpan)
    try reader.skip(1)
    let seen = [
      reader.peek(), reader.peek(1), reader.peek(2), reader.peek(-1), reader.peek(.max), reader.peek(.min),
    ]
    let (offset, remaining) = (reader.offset, reader.remaining)
    #expect(seen == [2, 3, nil, nil, nil, nil])
    #expect(offset == 1 && remaining == 2)
  }

  static let varints: [(String, UInt64)] = [
    ("00", 0), ("01", 1), ("7F", 127), ("8001", 128), ("AC02", 300), ("FFFFFFFF0F", 0xFFFF_FFFF),
    ("FFFFFFFFFFFFFFFFFF01", .max), ("808080808080808080 01", 1 << 63), ("8000", 0), ("80808000", 0),
  ]

  @Test(arguments: varints)
  func `reads varints, long forms too`(digits: String, expected: UInt64) throws {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.rawSpan)
    let value = try reader.varint()
    let isAtEnd = reader.isAtEnd
    #expect(value == expected && isAtEnd)
  }

  @Test(arguments: [
    "FFFFFFFFFFFFFFFFFF02", "FFFFFFFFFFFFFFFFFF81 00", "80808080808080808080 01", "FFFFFFFFFFFFFFFFFFFF",
  ])
  func `varints over 64 bits are refused`(digits: String) {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.rawSpan)
    do {
      _ = try reader.varint()
      Issue.record("read \(digits)")
    } catch {
      #expect(error == .varintTooLong)
    }
    let offset = reader.offset
    #expect(offset == 0)
  }

  @Test(arguments: ["", "80", "FFFF", "808080808080808080"])
  func `varints that end early are refused and nothing moves`(digits: String) {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.rawSpan)
    do {
      _ = try reader.varint()
      Issue.record("read \(digits)")
    } catch {
      #expect(error == .truncated(needed: bytes.count + 1, available: bytes.count))
    }
    let offset = reader.offset
    #expect(offset == 0)
  }

  @Test func `random reads over random bytes never leave the bounds`() {
    var random = RandomSource(seed: 7)
    for _ in 0..<2000 {
      let bytes = random.bytes(Int.random(in: 0...40, using: &random))
      var reader = ByteReader(bytes.rawSpan)
      for _ in 0..<20 {
        let before = reader.offset
        do throws(WireError) {
          switch random.next() % 8 {
          case 0: _ = try reader.uint8()
          case 1: _ = try reader.uint16()
          case 2: _ = try reader.uint24()
          case 3: _ = try reader.uint32()
          case 4: _ = try reader.uint64()
          case 5: _ = try reader.varint()
          case 6: try reader.skip(Int(truncatingIfNeeded: random.next()))
          default: _ = try reader.bytes(Int.random(in: -2...12, using: &random))
          }
        } catch {
          let after = reader.offset
          #expect(after == before)
        }
        let (offset, remaining) = (reader.offset, reader.remaining)
        #expect(offset + remaining == bytes.count && remaining >= 0)
      }
    }
  }
}
