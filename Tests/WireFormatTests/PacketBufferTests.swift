import Testing
import TestSupport
import WireFormat

struct PacketBufferTests {
  @Test func `appends in network order behind the headroom`() throws {
    let buffer = PacketBuffer(capacity: 64, headroom: 8)
    #expect(buffer.isEmpty && buffer.headroom == 8 && buffer.tailroom == 56)
    try buffer.append(UInt8(0x01))
    try buffer.append(UInt16(0x0203))
    try buffer.append24(0x04_0506)
    try buffer.append(UInt32(0x0708_090A))
    try buffer.append(UInt64(0x0B0C_0D0E_0F10_1112))
    try buffer.append([0x13, 0x14])
    try buffer.append([UInt8(0x15)].rawSpan)
    try buffer.append([])
    try buffer.appendZeros(2)
    let bytes = buffer.bytes.copyBytes()
    #expect(hex(bytes) == "0102030405060708090a0b0c0d0e0f1011121314150000")
    #expect(buffer.count == 23 && buffer.headroom == 8 && buffer.tailroom == 33)
  }

  @Test func `what does not fit throws and leaves all as it was`() throws {
    let buffer = PacketBuffer(capacity: 16, headroom: 4)
    try buffer.append(UInt64(1))
    try buffer.append(UInt16(2))
    let full = WireError.full(capacity: 16)
    #expect(throws: full) { try buffer.append(UInt32(3)) }
    #expect(throws: full) { try buffer.append(UInt64(3)) }
    #expect(throws: full) { try buffer.append([1, 2, 3]) }
    #expect(throws: full) { try buffer.appendZeros(3) }
    #expect(throws: full) { try buffer.appendZeros(.max) }
    #expect(throws: full) { try buffer.appendZeros(-1) }
    #expect(throws: full) { try buffer.prepend([1, 2, 3, 4, 5]) }
    #expect(buffer.count == 10)
    try buffer.append(UInt16(3))
    #expect(throws: full) { try buffer.append(UInt8(3)) }
    try buffer.prepend([9, 8, 7, 6])
    let bytes = buffer.bytes.copyBytes()
    #expect(hex(bytes) == "09080706000000000000000100020003")
    #expect(buffer.headroom == 0 && buffer.tailroom == 0)
  }

  @Test func `a 24-bit append that half fits throws`() throws {
    let buffer = PacketBuffer(capacity: 16, headroom: 0)
    try buffer.appendZeros(14)
    #expect(throws: WireError.self) { try buffer.append24(0x010203) }
    #expect(buffer.count == 14)
  }

  static let cuts: [Int] = [.min, -1, 0, 1, 4, 8, 9, 2000, .max]

  @Test(arguments: cuts)
  func `cutting stays inside the payload`(count: Int) throws {
    let front = PacketBuffer(capacity: 32, headroom: 4)
    try front.append(UInt64(0x0102_0304_0506_0708))
    front.dropFirst(count)
    let kept = min(max(count, 0), 8)
    #expect(front.count == 8 - kept && front.headroom == 4 + kept)

    let back = PacketBuffer(capacity: 32, headroom: 4)
    try back.append(UInt64(0x0102_0304_0506_0708))
    back.truncate(to: count)
    #expect(back.count == kept && back.headroom == 4)
  }

  @Test func `narrowing keeps a range, cut to what is there`() throws {
    func narrowed(to range: Range<Int>) throws -> [UInt8] {
      let buffer = PacketBuffer(capacity: 32, headroom: 4)
      try buffer.append([0, 1, 2, 3, 4, 5, 6, 7])
      buffer.narrow(to: range)
      return buffer.bytes.copyBytes()
    }
    #expect(try narrowed(to: 2..<5) == [2, 3, 4])
    #expect(try narrowed(to: 0..<8) == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(try narrowed(to: 6..<Int.max) == [6, 7])
    #expect(try narrowed(to: Int.min..<3) == [0, 1, 2])
    #expect(try narrowed(to: 100..<200) == [])
    #expect(try narrowed(to: 3..<3) == [])
  }

  @Test(arguments: [Int.min, -1, 0, 3, 4, 5, 6, 7, 8, Int.max])
  func `overwriting outside does nothing, not even in part`(offset: Int) throws {
    let buffer = PacketBuffer(capacity: 32, headroom: 4)
    try buffer.appendZeros(8)
    // Bytes around the payload that must not be reached.
    try buffer.append(UInt32(0))
    buffer.truncate(to: 8)
    buffer.set(UInt8(0xFF), at: offset)
    let one = buffer.bytes.copyBytes()
    #expect(one.filter { $0 == 0xFF }.count == ((0..<8).contains(offset) ? 1 : 0))
    buffer.set(UInt16(0xEEEE), at: offset)
    let two = buffer.bytes.copyBytes()
    #expect(two.filter { $0 == 0xEE }.count == ((0..<7).contains(offset) ? 2 : 0))
    buffer.set(UInt32(0xDDDD_DDDD), at: offset)
    let four = buffer.bytes.copyBytes()
    #expect(four.filter { $0 == 0xDD }.count == ((0..<5).contains(offset) ? 4 : 0))
  }

  @Test func `integers are overwritten in network order`() throws {
    let buffer = PacketBuffer(capacity: 32, headroom: 4)
    try buffer.appendZeros(7)
    buffer.set(UInt8(1), at: 0)
    buffer.set(UInt16(0x0203), at: 1)
    buffer.set(UInt32(0x0405_0607), at: 3)
    let bytes = buffer.bytes.copyBytes()
    #expect(bytes == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `assigning replaces the payload, even by a part of itself`() throws {
    let buffer = PacketBuffer(capacity: 128, headroom: 0)
    try buffer.append(Array(0..<100))
    try buffer.assign(buffer.bytes.clamped(10..<90))
    let bytes = buffer.bytes.copyBytes()
    #expect(bytes == Array(10..<90))
    #expect(buffer.headroom == 48)
    #expect(throws: WireError.self) { try buffer.assign([UInt8](repeating: 0, count: 129).rawSpan) }
  }

  @Test func `copies fit whatever their size`() {
    let large = PacketBuffer(copying: [UInt8](repeating: 5, count: 5000))
    #expect(large.count == 5000 && large.headroom == PacketBuffer.defaultHeadroom)
    let small = PacketBuffer(copying: [1])
    #expect(small.count == 1 && small.capacity == PacketBuffer.defaultCapacity)
    let empty = PacketBuffer(copying: [])
    #expect(empty.isEmpty)
  }

  @Test(arguments: [(-5, -5), (0, 0), (16, 100), (100, -1)])
  func `odd sizes are held to what is possible`(capacity: Int, headroom: Int) throws {
    let buffer = PacketBuffer(capacity: capacity, headroom: headroom)
    #expect(buffer.capacity >= 16)
    #expect((0...buffer.capacity).contains(buffer.headroom))
    buffer.reset(headroom: .max)
    #expect(buffer.headroom == buffer.capacity && buffer.tailroom == 0)
    buffer.reset(headroom: .min)
    #expect(buffer.headroom == 0 && buffer.isEmpty)
  }

  @Test(arguments: [(-1, 0), (0, 0), (5, 5), (1000, 28)])
  func `a count returned from C is held to the memory`(returned: Int, expected: Int) throws {
    let buffer = PacketBuffer(capacity: 32, headroom: 4)
    try buffer.append([1, 2, 3])
    unsafe buffer.withUnsafeMutableBytes { bytes, count in
      #expect(count == 3 && bytes.count == 28)
      return returned
    }
    #expect(buffer.count == expected)
  }

  @Test func `random edits agree with an array`() throws {
    var random = RandomSource(seed: 11)
    for _ in 0..<300 {
      let buffer = PacketBuffer(capacity: 256, headroom: 64)
      var model: [UInt8] = []
      for _ in 0..<60 {
        let count = Int.random(in: 0...20, using: &random)
        switch random.next() % 6 {
        case 0:
          let more = random.bytes(count)
          if (try? buffer.append(more)) != nil { model += more }
        case 1:
          let more = random.bytes(count)
          if (try? buffer.prepend(more)) != nil { model = more + model }
        case 2:
          buffer.dropFirst(count)
          model = Array(model.dropFirst(count))
        case 3:
          buffer.truncate(to: count * 4)
          model = Array(model.prefix(count * 4))
        case 4:
          let value = random.uint16()
          buffer.set(value, at: count)
          if count + 1 < model.count {
            model[count] = UInt8(value >> 8)
            model[count + 1] = UInt8(value & 0xFF)
          }
        default:
          let value = random.uint32()
          if (try? buffer.append(value)) != nil {
            model += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
          }
        }
        let bytes = buffer.bytes.copyBytes()
        #expect(bytes == model)
        #expect(buffer.headroom + buffer.count + buffer.tailroom == buffer.capacity)
      }
    }
  }
}
