import Synchronization

/// Waits until `condition` holds; false when it does not within `limit`, which is there for broken builds only.
func eventually(_ limit: Duration = .seconds(20), _ condition: @Sendable () async -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
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
