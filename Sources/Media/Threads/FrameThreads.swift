import WireFormat

/// The threads on which a client's received frames are decoded and users' frame handlers run.
///
/// Threads are alike and are started when work finds none free. Work comes in lanes: a track has one for
/// decoding, which runs as soon as it has something to do, and one for its handler. Handlers run one at a
/// time, of whichever track, and inline: the thread that decoded a picture hands it over itself while no
/// other handler runs, so that a frame costs one wake-up. Whatever comes while it is in the handler, another
/// thread decodes.
///
/// A handler that takes its time delays other tracks' handlers at most for `patience`: when work arrives and
/// every handler that runs has been running for longer, the next one runs beside them. So a handler that
/// blocks for ten seconds costs its own track its frames, and nobody else.
package final class FrameThreads: Sendable {
  /// How long a handler may run before waiting tracks' handlers run beside it.
  package static let patience = Interval.milliseconds(50 as Int64)
  /// Handlers that may block at once before those of other tracks are held up.
  package static let handlerLimit = 8
  /// Threads at most: decoders still have some when all the handlers that may run block.
  package static let limit = 12

  private struct Worker: Sendable {
    var thread: WorkerThread
    /// When the handler began that this thread is in.
    var handlerSince: Instant?
  }

  private struct State: Sendable {
    var decoding: [FrameLane] = []
    var handlers: [FrameLane] = []
    var workers = [Worker?](repeating: nil, count: FrameThreads.limit)
    /// Threads that sleep and have not been notified.
    var sleeping = 0
    /// Notifications that no thread has answered yet. One that wakes for another reason may answer it.
    var notified = 0
    /// Decoding lanes that are not over: as many free threads, and one for handlers, are kept.
    var decoders = 0
    /// Callers of `finish` that wait. They sleep on the same condition as the threads.
    var finishing = 0
    var isClosed = false
  }

  /// Structs, not tuples: a closure in a generic result would be wrapped in a box, an allocation a turn.
  private struct Work {
    var lane: FrameLane
    var turn: FrameLane.Turn
  }

  private struct Finished {
    var lane: FrameLane
    var outcome: FrameLane.Outcome
  }

  private let name: String
  private let monitor: Monitor<State>

  /// - Parameter name: of the threads; at most 15 characters are shown (Linux).
  package init(name: String = "frames") {
    self.name = name
    var state = State()
    state.decoding.reserveCapacity(16)
    state.handlers.reserveCapacity(32)
    monitor = Monitor(state)
  }

  deinit {
    close()
  }

  /// A lane of these threads. Nothing of it runs before it is scheduled.
  ///
  /// - Parameter turn: does some of what waits. Called on one of the threads, never twice at once.
  package func makeLane(_ kind: FrameLane.Kind, turn: @escaping FrameLane.Turn) -> FrameLane {
    if kind == .decoding { monitor.withLock { $0.decoders += 1 } }
    return FrameLane(kind, turn)
  }

  /// Asks for a turn of `lane`. Nothing happens once it or everything is over. Any thread.
  package func schedule(_ lane: FrameLane) {
    monitor.withLock { state in
      guard !state.isClosed else { return }
      Self.enqueue(lane, &state)
      Self.dispatch(&state, name, monitor)
    }
  }

  /// Ends a lane: no turn of it begins after this has returned. Waits for one that runs, unless this is
  /// called inside it. Any thread; repeatable.
  package func finish(_ lane: FrameLane) {
    monitor.withLock { state in
      state.finishing += 1
      guard !lane.isOver else { return }
      lane.isOver = true
      if lane.kind == .decoding { state.decoders -= 1 }
      guard lane.phase == .queued else { return }
      lane.phase = .idle
      state.decoding.removeAll { $0 === lane }
      state.handlers.removeAll { $0 === lane }
    }
    // What the turn holds is freed by this function's end, outside of the lock.
    let turn = monitor.wait { state -> Monitor<State>.Outcome<FrameLane.Turn?> in
      let isInside = lane.phase != .idle && state.workers[lane.worker]?.thread.isCurrent == true
      guard lane.phase == .idle || isInside else { return .sleep(until: .distantFuture) }
      state.finishing -= 1
      return .done(isInside ? nil : lane.turn.take())
    }
    withExtendedLifetime(turn) {}
  }

  /// Ends everything. Waits for turns that run, unless called from inside one. Any thread; repeatable.
  package func close() {
    let workers = monitor.withLock { state in
      state.isClosed = true
      for lane in state.decoding + state.handlers { lane.phase = .idle }
      state.decoding.removeAll()
      state.handlers.removeAll()
      return state.workers
    }
    monitor.notifyAll()
    // Two handlers that close each other's client must not wait for one another: inside, nobody waits.
    guard !workers.contains(where: { $0?.thread.isCurrent ?? false }) else { return }
    for worker in workers { worker?.thread.join() }
  }

  /// How many threads there are just now.
  package var threads: Int { monitor.withLock { $0.workers.count { $0 != nil } } }

  private static func enqueue(_ lane: FrameLane, _ state: inout State) {
    guard !lane.isOver else { return }
    switch lane.phase {
    case .queued, .runningAgain: break
    case .running: lane.phase = .runningAgain
    case .idle:
      lane.phase = .queued
      switch lane.kind {
      case .decoding: state.decoding.append(lane)
      case .handler: state.handlers.append(lane)
      }
    }
  }

  /// Sees to a thread for what could run now and has none under way yet.
  ///
  /// Notifies under the lock: outside of it, a caller of `finish` that begins to wait just then could get what was meant
  /// for a thread.
  private static func dispatch(_ state: inout State, _ name: String, _ monitor: Monitor<State>) {
    let runnable = state.decoding.count + (mayRunHandler(&state) ? 1 : 0)
    guard runnable > state.notified else { return }
    if state.sleeping > 0 {
      state.sleeping -= 1
      state.notified += 1
      if state.finishing > 0 { monitor.notifyAll() } else { monitor.notifyOne() }
      return
    }
    guard let slot = state.workers.firstIndex(where: { $0 == nil }) else { return }
    let thread = WorkerThread(name: name) { run(slot, name, monitor) }
    guard thread.hasStarted else { return }
    state.notified += 1
    state.workers[slot] = Worker(thread: thread)
  }

  /// Whether a handler waits and none runs, or all that run have overstayed.
  private static func mayRunHandler(_ state: inout State) -> Bool {
    guard !state.handlers.isEmpty else { return false }
    var running = 0
    var newest: Instant?
    for slot in state.workers.indices {
      guard let since = state.workers[slot]?.handlerSince else { continue }
      running += 1
      newest = max(since, newest ?? since)
    }
    guard let newest else { return true }
    return running < handlerLimit && newest < MonotonicClock.now() - patience
  }

  private static func run(_ slot: Int, _ name: String, _ monitor: Monitor<State>) {
    var finished: Finished?
    // The notification that this thread was started for, or woken by.
    var mustAnswer = true
    while true {
      let next = monitor.wait { state -> Monitor<State>.Outcome<Work?> in
        if mustAnswer {
          mustAnswer = false
          if state.notified > 0 { state.notified -= 1 } else { state.sleeping -= 1 }
        }
        if let done = finished.take() {
          note(done, slot, &state)
          if done.lane.isOver, state.finishing > 0 { monitor.notifyAll() }
        }
        if state.isClosed { return .done(nil) }
        guard let work = takeWork(slot, &state) else {
          if isSpare(slot, &state) { return .done(nil) }
          mustAnswer = true
          state.sleeping += 1
          return .sleep(until: .distantFuture)
        }
        dispatch(&state, name, monitor)
        return .done(work)
      }
      guard let next else { return }
      finished = Finished(lane: next.lane, outcome: next.turn())
    }
  }

  private static func takeWork(_ slot: Int, _ state: inout State) -> Work? {
    let lane: FrameLane
    if mayRunHandler(&state) {
      lane = state.handlers.removeFirst()
    } else if !state.decoding.isEmpty {
      lane = state.decoding.removeFirst()
    } else {
      return nil
    }
    // One that is over is in no queue.
    guard let turn = lane.turn else { return nil }
    lane.phase = .running
    lane.worker = slot
    if lane.kind == .handler { state.workers[slot]?.handlerSince = MonotonicClock.now() }
    return Work(lane: lane, turn: turn)
  }

  private static func note(_ finished: Finished, _ slot: Int, _ state: inout State) {
    let lane = finished.lane
    state.workers[slot]?.handlerSince = nil
    let goesOn = lane.phase == .runningAgain || finished.outcome.hasMore
    lane.phase = .idle
    guard !state.isClosed else { return }
    if goesOn { enqueue(lane, &state) }
    if let next = finished.outcome.next { enqueue(next, &state) }
  }

  /// Whether enough other threads are free; then this one is over, and lets go of itself.
  private static func isSpare(_ slot: Int, _ state: inout State) -> Bool {
    guard state.sleeping > state.decoders else { return false }
    state.workers[slot]?.thread.join()
    state.workers[slot] = nil
    return true
  }
}
