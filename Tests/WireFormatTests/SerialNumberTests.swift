import Testing
import WireFormat

struct SerialNumberTests {
  // RFC 1982 section 3.2, with the open case of half the circle settled as "not newer".
  static let pairs16: [(UInt16, UInt16, Bool, Int)] = [
    (1, 0, true, 1), (0, 1, false, -1), (0, 0, false, 0), (0, 65535, true, 1), (65535, 0, false, -1),
    (100, 65500, true, 136), (65500, 100, false, -136), (32767, 0, true, 32767),
    (32768, 0, false, -32768), (0, 32768, false, -32768), (32769, 0, false, -32767),
  ]

  @Test(arguments: pairs16)
  func `16-bit numbers compare by the shorter way round`(
    left: UInt16, right: UInt16, isNewer: Bool, distance: Int
  ) {
    #expect(left.isNewer(than: right) == isNewer)
    #expect(left.distance(from: right) == distance)
  }

  static let pairs32: [(UInt32, UInt32, Bool, Int)] = [
    (1, 0, true, 1), (0, .max, true, 1), (.max, 0, false, -1), (0, 0, false, 0),
    (0x7FFF_FFFF, 0, true, 0x7FFF_FFFF), (0x8000_0000, 0, false, -0x8000_0000),
    (0x8000_0001, 0, false, -0x7FFF_FFFF),
  ]

  @Test(arguments: pairs32)
  func `32-bit numbers compare by the shorter way round`(
    left: UInt32, right: UInt32, isNewer: Bool, distance: Int
  ) {
    #expect(left.isNewer(than: right) == isNewer)
    #expect(left.distance(from: right) == distance)
  }

  @Test func `the first number is taken as it is`() {
    var small = SequenceUnwrapper16()
    #expect(small.peek(65535) == 65535)
    #expect(small.unwrap(65535) == 65535)
    #expect(small.unwrap(0) == 65536)
    small.reset()
    #expect(small.unwrap(7) == 7)
    var large = SequenceUnwrapper32()
    #expect(large.peek(.max) == Int64(UInt32.max))
    #expect(large.unwrap(.max) == Int64(UInt32.max))
    #expect(large.unwrap(0) == Int64(UInt32.max) + 1)
    large.reset()
    #expect(large.unwrap(7) == 7)
  }

  @Test func `numbers from before the wrap stay before it`() {
    var unwrapper = SequenceUnwrapper16()
    #expect(
      [65534, 65535, 0, 65533, 1, 65535, 2].map { unwrapper.unwrap($0) } == [
        65534, 65535, 65536, 65533, 65537, 65535, 65538,
      ])
    #expect(unwrapper.peek(65530) == 65530)
    #expect(unwrapper.peek(10) == 65546)
    #expect(unwrapper.unwrap(3) == 65539)
  }

  @Test func `numbers from before the first one are negative`() {
    var unwrapper = SequenceUnwrapper16()
    #expect([2, 65535, 0, 3].map { unwrapper.unwrap($0) } == [2, -1, 0, 3])
  }

  @Test(arguments: UInt64(1)...5)
  func `many wraps with reordering unwrap to what was counted`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    var small = SequenceUnwrapper16()
    var large = SequenceUnwrapper32()
    let start = Int64(random.uint16())
    let largeStart = Int64(UInt32.max) - 50_000
    _ = small.unwrap(UInt16(truncatingIfNeeded: start))
    _ = large.unwrap(UInt32(truncatingIfNeeded: largeStart))
    var sent = Int64(0)
    for _ in 0..<20_000 {
      sent += Int64.random(in: 0...200, using: &random)
      let late = max(0, sent - Int64.random(in: 0...1000, using: &random))
      for count in [sent, late] {
        #expect(small.unwrap(UInt16(truncatingIfNeeded: start + count)) == start + count)
        #expect(large.unwrap(UInt32(truncatingIfNeeded: largeStart + count)) == largeStart + count)
      }
    }
    #expect(sent > 20 * 65536)
  }
}
