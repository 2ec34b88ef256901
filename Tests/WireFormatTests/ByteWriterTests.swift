import Testing
import TestSupport
import WireFormat

struct ByteWriterTests {
  @Test func `writes integers in network order`() {
    var writer = ByteWriter()
    writer.write(UInt8(0x01))
    writer.write(UInt16(0x0203))
    writer.write24(0xFF04_0506)
    writer.write(UInt32(0x0708_090A))
    writer.write(UInt64(0x0B0C_0D0E_0F10_1112))
    #expect(hex(writer.bytes) == "0102030405060708090a0b0c0d0e0f101112")
    #expect(writer.count == 18)
  }

  @Test func `writes little-endian where protocols want it`() {
    var writer = ByteWriter()
    writer.writeLittleEndian(UInt32(14))
    writer.writeLittleEndian(Double(1).bitPattern)
    #expect(hex(writer.bytes) == "0e000000000000000000f03f")
  }

  @Test func `writes bytes, text and zeros`() {
    var writer = ByteWriter(capacity: 1)
    writer.write([1, 2])
    writer.write([UInt8(3), 4, 5][1...])
    writer.write([UInt8(6), 7].rawSpan)
    writer.write([UInt8]().rawSpan)
    writer.write(utf8: "é")
    writer.writeZeros(2)
    writer.writeZeros(0)
    writer.writeZeros(-3)
    #expect(hex(writer.bytes) == "010204050607c3a90000")
    writer.removeAll()
    #expect(writer.count == 0)
  }

  @Test(arguments: ByteReaderTests.varints.prefix(8))
  func `writes varints in their shortest form`(digits: String, value: UInt64) {
    var writer = ByteWriter()
    writer.writeVarint(value)
    #expect(writer.bytes == hex(digits))
  }

  @Test func `varints are read as they were written`() throws {
    var random = RandomSource(seed: 5)
    for shift in 0..<64 {
      for _ in 0..<20 {
        let value = random.next() >> UInt64(shift)
        var writer = ByteWriter()
        writer.writeVarint(value)
        let bytes = writer.bytes
        var reader = ByteReader(bytes.rawSpan)
        let read = try reader.varint()
        let isAtEnd = reader.isAtEnd
        #expect(read == value && isAtEnd)
      }
    }
  }

  @Test func `overwrites inside of what was written`() {
    var writer = ByteWriter()
    writer.writeZeros(6)
    writer.set(UInt16(0x0102), at: 0)
    writer.set(UInt32(0x0304_0506), at: 2)
    #expect(hex(writer.bytes) == "010203040506")
    writer.set(UInt16(0xAABB), at: 4)
    #expect(hex(writer.bytes) == "01020304aabb")
  }

  @Test(arguments: [-1, 3, 4, 5, Int.max, Int.min])
  func `overwriting outside does nothing, not even in part`(offset: Int) {
    var writer = ByteWriter()
    writer.writeZeros(4)
    if offset != 2 { writer.set(UInt16(0xFFFF), at: offset) }
    writer.set(UInt32(0xFFFF_FFFF), at: offset)
    writer.set(UInt32(0xFFFF_FFFF), at: 1)
    writer.set(UInt32(0xFFFF_FFFF), at: 2)
    #expect(writer.bytes == [0, 0, 0, 0])
  }
}
