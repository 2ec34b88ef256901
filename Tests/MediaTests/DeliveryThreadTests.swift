import Media
import Synchronization
import Testing
import WireFormat

@Suite struct DeliveryThreadTests {
  @Test func `lanes run in the order in which they were asked for, never two at once while none blocks`() {
    let delivery = DeliveryThread()
    let seen = Collector<Int>()
    let inside = Atomic<Int>(0)
    let lanes = (0..<5).map { number in
      DeliveryLane {
        if inside.add(1, ordering: .relaxed).newValue != 1 { seen.add(-1) }
        seen.add(number)
        inside.subtract(1, ordering: .relaxed)
        return false
      }
    }
    for round in 0..<200 {
      for lane in lanes { delivery.schedule(lane) }
      let all = seen.wait(for: (round + 1) * 5)
      #expect(Array(all.suffix(5)) == [0, 1, 2, 3, 4])
    }
    delivery.close()
    #expect(seen.all.count == 1000)
  }

  @Test func `a lane that is asked for while it runs runs again, once`() {
    let delivery = DeliveryThread()
    let gate = Gate()
    let seen = Collector<Int>()
    let lane = DeliveryLane {
      seen.add(0)
      gate.pass()
      return false
    }
    delivery.schedule(lane)
    _ = seen.wait(for: 1)
    for _ in 0..<10 { delivery.schedule(lane) }
    gate.open()
    _ = seen.wait(for: 2)
    delivery.close()
    #expect(seen.all.count == 2)
  }

  @Test func `a handler that blocks harms only its own track`() {
    let delivery = DeliveryThread()
    let gate = Gate()
    let stuck = Collector<Int>()
    let seen = Collector<Int>()
    let blocking = DeliveryLane {
      stuck.add(0)
      gate.pass()
      return false
    }
    let other = DeliveryLane {
      seen.add(0)
      return false
    }
    delivery.schedule(blocking)
    _ = stuck.wait(for: 1)
    // Frames keep coming; once the first handler has overstayed, another thread serves them.
    let deadline = MonotonicClock.now() + .seconds(10)
    while seen.all.count < 20, MonotonicClock.now() < deadline { delivery.schedule(other) }
    #expect(seen.all.count >= 20 && stuck.all.count == 1)
    gate.open()
    delivery.close()
    #expect(delivery.threads <= 2)
  }

  @Test func `close from inside a handler returns, and nothing runs afterwards`() {
    let delivery = DeliveryThread()
    let seen = Collector<Int>()
    let lane = DeliveryLane {
      delivery.close()
      seen.add(1)
      return true
    }
    let other = DeliveryLane {
      seen.add(2)
      return false
    }
    delivery.schedule(lane)
    #expect(seen.wait(for: 1) == [1])
    delivery.schedule(other)
    delivery.schedule(lane)
    delivery.close()
    #expect(seen.all == [1])
  }

  @Test func `close waits for the handler that runs`() {
    let delivery = DeliveryThread()
    let entered = Collector<Int>()
    let finished = Atomic<Bool>(false)
    let lane = DeliveryLane {
      entered.add(0)
      var sum = 0
      for number in 0..<2_000_000 { sum &+= number }
      finished.store(sum != 1, ordering: .releasing)
      return false
    }
    delivery.schedule(lane)
    _ = entered.wait(for: 1)
    delivery.close()
    let isFinished = finished.load(ordering: .acquiring)
    #expect(isFinished)
  }
}
