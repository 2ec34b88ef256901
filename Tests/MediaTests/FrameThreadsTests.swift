import Foundation
import Media
import Synchronization
import Testing
import WireFormat

@Suite struct FrameThreadsTests {
  /// A lane that does its one thing and has nothing more to do.
  private func lane(
    _ threads: FrameThreads, _ kind: FrameLane.Kind = .handler, _ body: @escaping @Sendable () -> Void
  ) -> FrameLane {
    threads.makeLane(kind) {
      body()
      return FrameLane.Outcome(hasMore: false)
    }
  }

  @Test func `handlers run in the order in which they were asked for, never two at once while none blocks`() {
    let threads = FrameThreads()
    let seen = Collector<Int>()
    let inside = Atomic<Int>(0)
    let lanes = (0..<5).map { number in
      lane(threads) {
        if inside.add(1, ordering: .relaxed).newValue != 1 { seen.add(-1) }
        seen.add(number)
        inside.subtract(1, ordering: .relaxed)
      }
    }
    for round in 0..<200 {
      for lane in lanes { threads.schedule(lane) }
      seen.wait(for: (round + 1) * 5)
      #expect(seen.read { Array($0.suffix(5)) } == [0, 1, 2, 3, 4])
    }
    threads.close()
    #expect(seen.count == 1000)
  }

  @Test func `a lane that is asked for while it runs runs again, once`() {
    let threads = FrameThreads()
    let gate = Gate()
    let seen = Collector<Int>()
    let blocking = lane(threads) {
      seen.add(0)
      gate.pass()
    }
    threads.schedule(blocking)
    seen.wait(for: 1)
    for _ in 0..<10 { threads.schedule(blocking) }
    gate.open()
    seen.wait(for: 2)
    threads.close()
    #expect(seen.count == 2)
  }

  @Test func `a lane with more to do gets further turns, after those that wait`() {
    let threads = FrameThreads()
    let gate = Gate()
    let seen = Collector<Int>()
    let left = Atomic<Int>(3)
    let many = threads.makeLane(.handler) {
      if left.load(ordering: .relaxed) == 3 { gate.pass() }
      seen.add(1)
      return FrameLane.Outcome(hasMore: left.subtract(1, ordering: .relaxed).newValue > 0)
    }
    threads.schedule(many)
    threads.schedule(lane(threads) { seen.add(2) })
    gate.open()
    seen.wait(for: 4)
    threads.close()
    #expect(seen.all == [1, 2, 1, 1])
  }

  @Test(arguments: 0..<20)
  func `the thread that decoded hands over itself while no other handler runs`(_ round: Int) {
    let threads = FrameThreads()
    let seen = Collector<ObjectIdentifier>()
    let handler = lane(threads) { seen.add(ObjectIdentifier(Thread.current)) }
    let decoding = threads.makeLane(.decoding) {
      seen.add(ObjectIdentifier(Thread.current))
      return FrameLane.Outcome(hasMore: false, next: handler)
    }
    threads.schedule(decoding)
    seen.wait(for: 2)
    threads.close()
    #expect(seen.count == 2 && Set(seen.all).count == 1 && threads.threads == 1)
  }

  @Test func `decoding goes on at once while a handler blocks, also its own track's`() {
    let threads = FrameThreads()
    let gate = Gate()
    let entered = Collector<Int>()
    let decoded = Collector<Int>()
    let handler = lane(threads) {
      entered.add(0)
      gate.pass()
    }
    let decoding = threads.makeLane(.decoding) {
      decoded.add(0)
      return FrameLane.Outcome(hasMore: false, next: handler)
    }
    threads.schedule(decoding)
    entered.wait(for: 1)
    for round in 0..<100 {
      threads.schedule(decoding)
      decoded.wait(for: round + 2)
    }
    threads.finish(decoding)
    #expect(entered.count == 1 && decoded.count == 101)
    gate.open()
    // What came meanwhile is one more turn of the handler.
    entered.wait(for: 2)
    threads.close()
    #expect(entered.count == 2)
  }

  @Test func `two tracks are decoded side by side`() {
    let threads = FrameThreads()
    let met = Monitor(0)
    let together = Collector<Bool>()
    // Each waits for the other: one after the other, they would not meet.
    let lanes = (0..<2).map { _ in
      lane(threads, .decoding) {
        met.withLock { $0 += 1 }
        met.notifyAll()
        let deadline = MonotonicClock.now() + .seconds(20)
        together.add(
          met.wait { $0 >= 2 || MonotonicClock.now() >= deadline ? .done($0 >= 2) : .sleep(until: deadline) })
      }
    }
    for lane in lanes { threads.schedule(lane) }
    together.wait(for: 2)
    threads.close()
    #expect(together.all == [true, true])
  }

  @Test func `a handler that blocks harms only its own track`() {
    let threads = FrameThreads()
    let gate = Gate()
    let stuck = Collector<Int>()
    let seen = Collector<Int>()
    let blocking = lane(threads) {
      stuck.add(0)
      gate.pass()
    }
    let other = lane(threads) { seen.add(0) }
    threads.schedule(blocking)
    stuck.wait(for: 1)
    // Frames keep coming; once the first handler has overstayed, another thread serves them.
    let deadline = MonotonicClock.now() + .seconds(10)
    while seen.count < 20, MonotonicClock.now() < deadline { threads.schedule(other) }
    #expect(seen.count >= 20 && stuck.count == 1)
    gate.open()
    threads.close()
    #expect(threads.threads <= 2)
  }

  @Test func `when all handlers that may run block, decoding still goes on and the threads stay bounded`() {
    let threads = FrameThreads()
    let gate = Gate()
    let stuck = Collector<Int>()
    let decoded = Collector<Int>()
    let decoding = lane(threads, .decoding) { decoded.add(0) }
    let lanes = (0..<2 * FrameThreads.handlerLimit).map { number in
      lane(threads) {
        stuck.add(number)
        gate.pass()
      }
    }
    let deadline = MonotonicClock.now() + .seconds(20)
    while stuck.count < FrameThreads.handlerLimit, MonotonicClock.now() < deadline {
      for lane in lanes { threads.schedule(lane) }
    }
    #expect(stuck.count == FrameThreads.handlerLimit)
    for round in 0..<20 {
      threads.schedule(decoding)
      decoded.wait(for: round + 1)
    }
    #expect(decoded.count == 20)
    #expect(stuck.count == FrameThreads.handlerLimit && threads.threads <= FrameThreads.limit)
    gate.open()
    stuck.wait(for: lanes.count)
    // Threads that are no longer needed end.
    while threads.threads > 3, MonotonicClock.now() < deadline { threads.schedule(decoding) }
    #expect(threads.threads <= 3)
    threads.close()
  }

  @Test func `a lane that is over has no turn any more, and what it held is let go`() {
    let threads = FrameThreads()
    final class Held: Sendable {
      let freed: Atomic<Bool>
      init() { freed = Atomic(false) }
    }
    let gate = Gate()
    let seen = Collector<Int>()
    weak var held: Held?
    let decoding: FrameLane
    do {
      let object = Held()
      held = object
      decoding = threads.makeLane(.decoding) {
        seen.add(object.freed.load(ordering: .relaxed) ? 1 : 0)
        gate.pass()
        return FrameLane.Outcome(hasMore: true)
      }
    }
    threads.schedule(decoding)
    seen.wait(for: 1)
    #expect(held != nil)
    gate.open()
    threads.finish(decoding)
    let turns = seen.count
    #expect(held == nil)
    threads.schedule(decoding)
    threads.finish(decoding)
    threads.close()
    #expect(seen.count == turns)
  }

  @Test func `no turn is lost while other lanes begin and end`() {
    let threads = FrameThreads()
    let seen = Collector<Int>()
    let handler = lane(threads) { seen.add(0) }
    let isOver = Atomic<Bool>(false)
    let others = (0..<2).map { _ in
      WorkerThread(name: "others") {
        while !isOver.load(ordering: .relaxed) {
          let decoding = threads.makeLane(.decoding) { FrameLane.Outcome(hasMore: false) }
          threads.schedule(decoding)
          threads.finish(decoding)
        }
      }
    }
    var turns = 0
    for _ in 0..<5000 where turns == seen.count {
      threads.schedule(handler)
      turns += 1
      seen.wait(for: turns)
    }
    isOver.store(true, ordering: .relaxed)
    for other in others { other.join() }
    threads.close()
    #expect(seen.count == 5000)
  }

  @Test func `a lane can be ended inside its own turn`() {
    let threads = FrameThreads()
    let seen = Collector<Int>()
    let itself = Monitor<FrameLane?>(nil)
    let decoding = threads.makeLane(.decoding) {
      if let lane = itself.withLock({ $0 }) { threads.finish(lane) }
      seen.add(0)
      return FrameLane.Outcome(hasMore: true)
    }
    itself.withLock { $0 = decoding }
    threads.schedule(decoding)
    seen.wait(for: 1)
    itself.withLock { $0 = nil }
    threads.finish(decoding)
    threads.close()
    #expect(seen.count == 1)
  }

  @Test func `close from inside a handler returns, and nothing runs afterwards`() {
    let threads = FrameThreads()
    let seen = Collector<Int>()
    let closing = threads.makeLane(.handler) {
      threads.close()
      seen.add(1)
      return FrameLane.Outcome(hasMore: true)
    }
    let other = lane(threads) { seen.add(2) }
    threads.schedule(closing)
    #expect(seen.wait(for: 1) == [1])
    threads.schedule(other)
    threads.schedule(closing)
    threads.close()
    #expect(seen.all == [1])
  }

  @Test func `close waits for the handler that runs`() {
    let threads = FrameThreads()
    let entered = Collector<Int>()
    let finished = Atomic<Bool>(false)
    let busy = lane(threads) {
      entered.add(0)
      var sum = 0
      for number in 0..<2_000_000 { sum &+= number }
      finished.store(sum != 1, ordering: .releasing)
    }
    threads.schedule(busy)
    entered.wait(for: 1)
    threads.close()
    let isFinished = finished.load(ordering: .acquiring)
    #expect(isFinished)
  }
}
