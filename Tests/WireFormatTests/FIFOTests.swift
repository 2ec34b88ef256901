import Testing
import WireFormat

struct FIFOTests {
  @Test func `gives back what was put in, in order, across many wraps`() {
    var queue = FIFO<Int>()
    var random = RandomSource(seed: 7)
    var next = 0
    var expected = 0
    for _ in 0..<10_000 {
      if random.unit() < 0.55 {
        queue.append(next)
        next += 1
      } else if let value = queue.popFirst() {
        #expect(value == expected)
        expected += 1
      }
      #expect(queue.count == next - expected)
      #expect(queue.first == (queue.isEmpty ? nil : expected))
    }
    queue.removeAll()
    #expect(queue.isEmpty)
    #expect(queue.popFirst() == nil)
  }

  @Test func `lets go of what it gave back`() {
    final class Token {}
    var queue = FIFO<Token>()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      queue.append(token)
    }
    #expect(seen != nil)
    _ = queue.popFirst()
    #expect(seen == nil)
  }

  @Test func `keeps its order while it grows and wraps`() {
    var queue = FIFO<Int>(minimumCapacity: 4)
    var random = RandomSource(seed: 5)
    var model: [Int] = []
    for number in 0..<5000 {
      if random.next() % 5 < 3 {
        queue.append(number)
        model.append(number)
      } else {
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.count == model.count)
      #expect(queue.first == model.first)
      #expect(queue.last == model.last)
    }
    #expect(queue[queue.count] == nil)
    #expect(queue[-1] == nil)
    queue.removeAll()
    #expect(queue.isEmpty)
  }
}
