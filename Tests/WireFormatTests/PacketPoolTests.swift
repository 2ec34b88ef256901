import Testing
import WireFormat

struct PacketPoolTests {
  @Test func `steady use allocates once`() throws {
    let pool = PacketPool(limit: 4)
    for _ in 0..<1000 {
      let buffer = pool.take()
      try buffer.append([1, 2, 3])
      pool.give(buffer)
    }
    #expect(pool.allocations == 1)
    #expect(pool.available == 1)
  }

  @Test func `a reused buffer is empty and has the headroom asked for`() throws {
    let pool = PacketPool(limit: 4)
    let first = pool.take(headroom: 10)
    try first.append([1, 2, 3])
    pool.give(consume first)
    let second = pool.take(headroom: 20)
    #expect(second.isEmpty && second.headroom == 20)
    #expect(pool.allocations == 1)
  }

  @Test func `a buffer that somebody still holds is not handed out again until it is let go`() {
    let pool = PacketPool(limit: 4)
    var held: PacketBuffer? = pool.take()
    if let held { pool.give(held) }
    let identity = held.map { ObjectIdentifier($0) }
    let other = pool.take()
    #expect(other !== held)
    #expect(pool.allocations == 2)
    held = nil
    let again = pool.take()
    #expect(ObjectIdentifier(again) == identity)
    #expect(pool.allocations == 2)
  }

  @Test func `buffers held by others do not hide free ones behind them`() {
    let pool = PacketPool(limit: 16)
    let held = (0..<3).map { _ in pool.take() }
    pool.give(pool.take())
    for buffer in held { pool.give(buffer) }
    let found = pool.take()
    #expect(!held.contains { $0 === found })
    #expect(pool.allocations == 4)
    withExtendedLifetime(held) {}
  }

  @Test func `a buffer given back twice is never in two hands`() {
    let pool = PacketPool(limit: 4)
    let twice = pool.take()
    pool.give(twice)
    pool.give(twice)
    #expect(pool.doubleGives == 1 && pool.available == 1)
    let (first, second) = (pool.take(), pool.take())
    #expect(first !== second)
    #expect(first !== twice && second !== twice)
  }

  @Test func `more than the limit is let go`() {
    let pool = PacketPool(limit: 2)
    var buffers = (0..<5).map { _ in pool.take() }
    while let buffer = buffers.popLast() { pool.give(buffer) }
    #expect(pool.available == 2)
    #expect(pool.allocations == 5)
    let none = PacketPool(limit: -1)
    none.give(none.take())
    #expect(none.available == 0)
  }

  @Test func `buffers of another size are let go`() {
    let pool = PacketPool(limit: 2, bufferCapacity: 512)
    pool.give(PacketBuffer(capacity: 1024))
    #expect(pool.available == 0)
    pool.give(PacketBuffer(capacity: 512))
    #expect(pool.available == 1)
  }
}
