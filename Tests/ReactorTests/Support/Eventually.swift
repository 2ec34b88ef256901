import Synchronization

/// Waits until `condition` holds; false when it does not within `limit`, which is there for broken builds only.
///
/// The limit is counted in looks, not in time: where the simulations of other suites keep every thread busy, what is
/// waited for comes later, and so do the looks.
func eventually(_ limit: Duration = .seconds(20), _ condition: @Sendable () async -> Bool) async -> Bool {
  let pause = Duration.milliseconds(5)
  for _ in 0..<Int(limit / pause) {
    if await condition() { return true }
    try? await Task.sleep(for: pause)
  }
  return await condition()
}

/// What handlers have seen, from any thread.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
  var count: Int { values.withLock { $0.count } }
}
