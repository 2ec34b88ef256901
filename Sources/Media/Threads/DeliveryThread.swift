import WireFormat

/// Runs users' frame handlers, inline, one track at a time and never two at once for one track.
///
/// One thread serves all tracks of a client. A handler that takes its time delays the others at most for
/// `patience`: when work arrives and every thread has been inside one handler for longer than that, another
/// thread takes over the tracks that wait, and ends when it is no longer needed. So a handler that blocks
/// for ten seconds costs its own track its frames, and nobody else.
package final class DeliveryThread: Sendable {
  /// How long a handler may run before waiting tracks get another thread.
  package static let patience = Interval.milliseconds(50 as Int64)
  /// Threads at most: as many handlers may block at once before other tracks are held up.
  package static let limit = 8

  private struct State: Sendable {
    var ready: [DeliveryLane] = []
    var workers = [WorkerThread?](repeating: nil, count: DeliveryThread.limit)
    /// When the worker began the handler it is in; nil while it waits.
    var busySince = [Instant?](repeating: nil, count: DeliveryThread.limit)
    var threads = 0
    var isClosed = false
  }

  private let name: String
  private let monitor: Monitor<State>

  package init(name: String = "delivery") {
    self.name = name
    var state = State()
    state.ready.reserveCapacity(32)
    monitor = Monitor(state)
    monitor.withLock { startWorker(&$0) }
  }

  deinit {
    close()
  }

  /// Asks for a turn of `lane`. Nothing happens after `close`. Any thread.
  package func schedule(_ lane: DeliveryLane) {
    let mustNotify = monitor.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      switch lane.phase {
      case .queued:
        relieve(&state)
        return false
      case .runningAgain: return false
      case .running:
        lane.phase = .runningAgain
        return false
      case .idle:
        lane.phase = .queued
        state.ready.append(lane)
        relieve(&state)
        return true
      }
    }
    if mustNotify { monitor.notifyOne() }
  }

  /// Ends all deliveries. Waits for running handlers, unless called from inside one. Any thread; repeatable.
  package func close() {
    let workers = monitor.withLock { state in
      state.isClosed = true
      for lane in state.ready { lane.phase = .idle }
      state.ready.removeAll()
      return state.workers
    }
    monitor.notifyAll()
    // Two handlers that close each other's client must not wait for one another: inside, nobody waits.
    guard !workers.contains(where: { $0?.isCurrent ?? false }) else { return }
    for worker in workers { worker?.join() }
  }

  /// How many threads there are just now.
  package var threads: Int { monitor.withLock { $0.threads } }

  /// Starts another thread when every one has been in its handler for too long.
  private func relieve(_ state: inout State) {
    guard state.threads < Self.limit else { return }
    let limit = MonotonicClock.now() - Self.patience
    for slot in state.workers.indices where state.workers[slot] != nil {
      guard let since = state.busySince[slot], since < limit else { return }
    }
    startWorker(&state)
  }

  private func startWorker(_ state: inout State) {
    guard let slot = state.workers.firstIndex(where: { $0 == nil }) else { return }
    state.threads += 1
    state.workers[slot] = WorkerThread(name: name) { [monitor] in
      Self.run(slot: slot, monitor: monitor)
    }
  }

  private static func run(slot: Int, monitor: Monitor<State>) {
    var finished: (lane: DeliveryLane, hasMore: Bool)?
    while true {
      let next = monitor.wait { state -> Monitor<State>.Outcome<DeliveryLane?> in
        if let (lane, hasMore) = finished {
          finished = nil
          state.busySince[slot] = nil
          if hasMore || lane.phase == .runningAgain, !state.isClosed {
            lane.phase = .queued
            state.ready.append(lane)
          } else {
            lane.phase = .idle
          }
        }
        if state.isClosed { return .done(nil) }
        guard let lane = state.ready.first else {
          return isSpare(slot, &state) ? .done(nil) : .sleep(until: .distantFuture)
        }
        state.ready.removeFirst()
        lane.phase = .running
        state.busySince[slot] = MonotonicClock.now()
        return .done(lane)
      }
      guard let next else { return }
      finished = (next, next.deliver())
    }
  }

  /// Whether another thread waits already; then this one is over (and lets go of itself).
  private static func isSpare(_ slot: Int, _ state: inout State) -> Bool {
    for other in state.workers.indices
    where other != slot && state.workers[other] != nil && state.busySince[other] == nil {
      state.workers[slot]?.join()
      state.workers[slot] = nil
      state.threads -= 1
      return true
    }
    return false
  }
}

/// One track's place in the delivery thread's order: while it waits or runs, it is not queued again.
///
/// `@unchecked Sendable`: `phase` is read and written only under the delivery thread's lock.
package final class DeliveryLane: @unchecked Sendable {
  fileprivate enum Phase {
    case idle
    case queued
    case running
    /// Something new came while its handler ran.
    case runningAgain
  }

  fileprivate var phase = Phase.idle
  fileprivate let deliver: @Sendable () -> Bool

  /// - Parameter deliver: hands over some of what waits, and returns whether it left anything, for which it
  ///   is called again after the other lanes had their turn. Called on the delivery thread.
  package init(deliver: @escaping @Sendable () -> Bool) {
    self.deliver = deliver
  }
}
