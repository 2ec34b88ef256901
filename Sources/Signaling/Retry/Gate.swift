import ReactorTypes
import WireFormat

/// Holds attempts back while the device is offline, and lets waits stand still while the app is in the
/// background.
package struct Gate: Sendable {
  private let clock: any SignalingClock
  private let connectivity: (any ConnectivityMonitor)?
  private let lifecycle: (any AppLifecycle)?

  package init(
    clock: any SignalingClock, connectivity: (any ConnectivityMonitor)? = nil,
    lifecycle: (any AppLifecycle)? = nil
  ) {
    self.clock = clock
    self.connectivity = connectivity
    self.lifecycle = lifecycle
  }

  package enum Failure: Error {
    case deadlinePassed
    case cancelled
  }

  /// Returns once the device is online and the app in the foreground. The deadline goes on running.
  package func passage(deadline: Instant?) async throws(Failure) {
    while true {
      if let connectivity, !connectivity.isOnline {
        try await race(until: deadline) {
          await Gate.wait(for: true, in: connectivity.changes) { connectivity.isOnline }
        }
      } else if let lifecycle, !lifecycle.isForeground {
        try await race(until: deadline) {
          await Gate.wait(for: true, in: lifecycle.changes) { lifecycle.isForeground }
        }
      } else {
        return
      }
    }
  }

  /// Waits for `interval`, counted in the foreground only. Coming online ends the wait early.
  package func pause(_ interval: Interval, deadline: Instant?) async throws(Failure) {
    var left = interval
    while left > .zero {
      try await passage(deadline: deadline)
      let start = clock.now()
      let end = start + left
      let isLast = deadline.map { $0 < end } ?? false
      let wake = try await sleep(until: isLast ? deadline ?? end : end)
      if isLast, clock.now() >= deadline ?? end { throw .deadlinePassed }
      if wake == .online { return }
      left = left - (clock.now() - start)
    }
    if Task.isCancelled { throw .cancelled }
  }

  private enum Wake {
    case time, background, online
  }

  private func sleep(until end: Instant) async throws(Failure) -> Wake {
    let (clock, lifecycle, connectivity) = (clock, lifecycle, connectivity)
    let wake = await withTaskGroup(of: Wake?.self) { group in
      group.addTask {
        try? await clock.sleep(until: end)
        return .time
      }
      if let lifecycle {
        group.addTask {
          await Gate.wait(for: false, in: lifecycle.changes) { lifecycle.isForeground } ? .background : nil
        }
      }
      if let connectivity {
        group.addTask { await Gate.waitForReturn(in: connectivity.changes) ? .online : nil }
      }
      defer { group.cancelAll() }
      while let next = await group.next() {
        if let wake = next { return wake }
      }
      return .time
    }
    if Task.isCancelled { throw .cancelled }
    return wake
  }

  private func race(
    until deadline: Instant?, _ body: @escaping @Sendable () async -> Bool
  ) async throws(Failure) {
    let clock = clock
    let isOver = await withTaskGroup(of: Bool?.self) { group in
      group.addTask {
        // A monitor whose stream has ended will never speak again: waiting on would hang.
        await body() ? false : nil
      }
      group.addTask {
        try? await clock.sleep(until: deadline ?? .distantFuture)
        return true
      }
      defer { group.cancelAll() }
      while let next = await group.next() {
        if let isOver = next { return isOver }
      }
      return true
    }
    if Task.isCancelled { throw .cancelled }
    if isOver { throw .deadlinePassed }
  }

  // Subscribes first and looks then, so that no change falls in between.
  private static func wait(
    for wanted: Bool, in changes: AsyncStream<Bool>, current: @Sendable () -> Bool
  ) async -> Bool {
    if current() == wanted { return true }
    for await value in changes where value == wanted { return true }
    return false
  }

  private static func waitForReturn(in changes: AsyncStream<Bool>) async -> Bool {
    var wasOffline = false
    for await value in changes {
      if value, wasOffline { return true }
      wasOffline = !value
    }
    return false
  }
}
