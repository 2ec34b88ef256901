import Testing
import WireFormat

struct RawSpanTests {
  private let bytes: [UInt8] = [1, 2, 3, 4, 5]

  @Test func `arrays and slices are spans of their bytes`() {
    #expect(bytes.rawSpan.copyBytes() == bytes)
    let slice = bytes[1..<4]
    #expect(slice.rawSpan.copyBytes() == [2, 3, 4])
    let none: [UInt8] = []
    #expect(none.rawSpan.copyBytes().isEmpty)
  }

  @Test(arguments: [Int.min, -1, 5, Int.max])
  func `no byte lies outside`(offset: Int) {
    #expect(bytes.rawSpan.byte(at: offset) == nil)
  }

  @Test func `bytes inside are found`() {
    #expect((0..<5).map { bytes.rawSpan.byte(at: $0) } == [1, 2, 3, 4, 5])
  }

  static let ranges: [(Range<Int>, [UInt8])] = [
    (0..<5, [1, 2, 3, 4, 5]), (1..<3, [2, 3]), (-5..<2, [1, 2]), (4..<Int.max, [5]), (5..<9, []),
    (Int.min..<Int.max, [1, 2, 3, 4, 5]), (Int.min..<(-1), []), (100..<200, []), (3..<3, []),
  ]

  @Test(arguments: ranges)
  func `ranges are cut to what is there`(range: Range<Int>, expected: [UInt8]) {
    #expect(bytes.rawSpan.clamped(range).copyBytes() == expected)
  }

  @Test func `equality is that of the bytes`() {
    let (same, shorter, other): ([UInt8], [UInt8], [UInt8]) = (
      [1, 2, 3, 4, 5], [1, 2, 3, 4], [1, 2, 3, 4, 6]
    )
    let results = [
      bytes.rawSpan.isEqual(to: same.rawSpan), bytes.rawSpan.isEqual(to: shorter.rawSpan),
      bytes.rawSpan.isEqual(to: other.rawSpan),
    ]
    #expect(results == [true, false, false])
  }

  @Test func `integers are read in network order where they fit, and nowhere else`() {
    let shorts = (-1...5).map { bytes.rawSpan.uint16(at: $0) }
    let longs = (-1...5).map { bytes.rawSpan.uint32(at: $0) }
    #expect(shorts == [nil, 0x0102, 0x0203, 0x0304, 0x0405, nil, nil])
    #expect(longs == [nil, 0x0102_0304, 0x0203_0405, nil, nil, nil, nil])
  }

  @Test(arguments: [Int.min, -4, -2, 4, Int.max - 1, Int.max])
  func `no integer lies outside`(offset: Int) {
    #expect(bytes.rawSpan.uint16(at: offset) == nil)
    #expect(bytes.rawSpan.uint32(at: offset) == nil)
  }

  @Test func `text is decoded, and what is no text becomes a mark`() {
    let (name, broken, none): ([UInt8], [UInt8], [UInt8]) = (Array("audio0".utf8), [0x61, 0xFF], [])
    #expect(name.rawSpan.decodedUTF8() == "audio0")
    #expect(broken.rawSpan.decodedUTF8() == "a\u{FFFD}")
    #expect(none.rawSpan.decodedUTF8().isEmpty)
  }
}
