import Synchronization

/// Counts what frame handlers see; they run on a thread of the SDK.
package final class Tally: Sendable {
  private let state = Mutex(0)

  package init() {}

  package var count: Int { state.withLock { $0 } }

  package func add() { state.withLock { $0 += 1 } }

  /// Waits until the count is at least `number`; false after ten seconds.
  package func reaches(_ number: Int) async throws -> Bool {
    let limit = ContinuousClock.now + .seconds(10)
    while count < number {
      guard ContinuousClock.now < limit else { return false }
      try await Task.sleep(for: .milliseconds(20))
    }
    return true
  }
}
