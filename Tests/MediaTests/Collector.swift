import Media
import RTP
import Synchronization
import WireFormat

/// Gathers what pipelines hand out on their threads, and lets a test wait for it without sleeping.
final class Collector<Element: Sendable>: Sendable {
  private let monitor = Monitor<[Element]>([])

  func add(_ element: Element) {
    monitor.withLock { $0.append(element) }
    monitor.notifyAll()
  }

  /// Once nothing is added any more: the thread sanitizer takes a copy that others still append to for a race,
  /// because it does not see how arrays count their references. `read` looks at any time.
  var all: [Element] { monitor.withLock { $0 } }

  var count: Int { monitor.withLock { $0.count } }

  func read<Result>(_ body: ([Element]) -> Result) -> Result { monitor.withLock { body($0) } }

  /// Waits until there are `count`; gives up after 20 s, which a test then sees by the count.
  @discardableResult func wait(for count: Int) -> [Element] {
    let deadline = MonotonicClock.now() + .seconds(20)
    return monitor.wait { elements in
      if elements.count >= count || MonotonicClock.now() >= deadline { return .done(elements) }
      return .sleep(until: deadline)
    }
  }

  /// Waits until `condition` holds of what there is.
  func wait(until condition: ([Element]) -> Bool) -> [Element] {
    let deadline = MonotonicClock.now() + .seconds(20)
    return monitor.wait { elements in
      if condition(elements) || MonotonicClock.now() >= deadline { return .done(elements) }
      return .sleep(until: deadline)
    }
  }
}

/// A door that a handler waits at until the test opens it.
final class Gate: Sendable {
  private let monitor = Monitor(false)

  func open() {
    monitor.withLock { $0 = true }
    monitor.notifyAll()
  }

  func pass() {
    monitor.wait { $0 ? .done(()) : .sleep(until: .distantFuture) }
  }
}
