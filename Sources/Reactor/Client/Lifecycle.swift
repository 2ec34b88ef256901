import ReactorTypes
import ReactorWire
import Signaling
import Synchronization

/// A client's life: connect, reconnect, disconnect, close, and what happens to it from outside.
///
/// What each of them does in which state is said by ``LifecycleTable``. Every change of state happens under one
/// lock, together with the posting of its events, so that handlers see the order in which things happened. The
/// work itself runs in tasks outside the lock.
final class Lifecycle: Sendable {
  private let state = Mutex(LifecycleState())
  private let events: EventHub
  private let tracks: TrackRegistry
  private let log: SessionLog
  private let calls: CallsInFlight
  /// Ends a session on the platform; failures are logged, never thrown.
  private let endSession: @Sendable (String) async -> Void

  init(
    events: EventHub, tracks: TrackRegistry, calls: CallsInFlight, log: SessionLog,
    endSession: @escaping @Sendable (String) async -> Void
  ) {
    self.events = events
    self.tracks = tracks
    self.calls = calls
    self.log = log
    self.endSession = endSession
  }

  // MARK: Reading

  var status: ReactorStatus { state.withLock { $0.status } }
  var sessionID: String? { state.withLock { $0.session?.id } }
  var session: SessionRecord? { state.withLock { $0.session } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The link, while the client is ready.
  ///
  /// - Throws: `.invalidState`, saying what to do instead.
  func readyLink(_ operation: String) throws -> RuntimeLink {
    try state.withLock { state in
      guard state.reaction(to: .request) == .goes, let link = state.link else {
        throw Lifecycle.refusal(operation, state, "connect and wait for ready first")
      }
      return link
    }
  }

  /// - Throws: `.invalidState` once the client is closed.
  func admitRegistration(_ operation: String) throws {
    try state.withLock { state in
      guard state.reaction(to: .registration) == .goes else {
        throw Lifecycle.refusal(operation, state, "make another one")
      }
    }
  }

  private static func refusal(
    _ operation: String, _ state: LifecycleState, _ advice: String
  ) -> ReactorError {
    let text =
      state.isClosed ? "the client is closed" : "the client is \(state.column.rawValue); \(advice)"
    return ReactorError(.invalidState, text, operation: operation)
  }

  // MARK: Connecting

  /// What an attempt does once it may begin.
  typealias Procedure = @Sendable (LifecycleAttempt) async throws -> Void

  /// Runs a connect: refused unless disconnected.
  func connect(_ procedure: @escaping Procedure) async throws {
    try await run(.connect, "connect", advice: "disconnect first") { state in
      state.session = nil
      return nil
    } _: { attempt, _ in
      try await procedure(attempt)
    }
  }

  /// Runs a reconnect: from disconnected with a session, or from ready, whose link is closed first.
  func reconnect(_ procedure: @escaping Procedure) async throws {
    try await run(.reconnect, "reconnect", advice: "connect first") { [self] state in
      guard let link = state.link else { return nil }
      tracks.detach()
      set(.disconnected, &state)
      return link
    } _: { attempt, old in
      await old?.close(.disconnected)
      try await procedure(attempt)
    }
  }

  private func run(
    _ input: LifecycleInput, _ operation: String, advice: String,
    prepare: (inout LifecycleState) -> RuntimeLink?,
    _ procedure: @escaping @Sendable (LifecycleAttempt, RuntimeLink?) async throws -> Void
  ) async throws {
    let task = try state.withLock { state -> Task<Void, any Error> in
      switch state.reaction(to: input) {
      case .begins, .cyclesConnection: break
      default: throw Lifecycle.refusal(operation, state, advice)
      }
      let old = prepare(&state)
      state.attempt += 1
      let attempt = LifecycleAttempt(number: state.attempt, operation: operation, lifecycle: self)
      let task = Task {
        do {
          try await procedure(attempt, old)
        } catch {
          throw await self.failed(attempt, error)
        }
      }
      state.phase = .connecting(attempt: state.attempt, task: task)
      set(.connecting, &state)
      return task
    }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cleans up after an attempt and gives the error that its caller gets.
  private func failed(_ attempt: LifecycleAttempt, _ error: any Error) async -> ReactorError {
    await attempt.closeLink()
    let failure =
      isClosed
      ? ReactorError(.aborted, "the client was closed", operation: attempt.operation)
      : ReactorError.from(error, operation: attempt.operation)
    let orphan = state.withLock { state -> String? in
      guard attempt.operation == "connect", isCurrent(attempt, state) else { return nil }
      return state.session.flatMap { $0.isOwner ? $0.id : nil }
    }
    // The session that a failed connect created is ended even when the connect was cancelled.
    if let orphan { await Task.detached { [endSession] in await endSession(orphan) }.value }
    state.withLock { state in
      guard isCurrent(attempt, state), state.reaction(to: .attemptFailed) == .failsAttempt else { return }
      state.phase = .disconnected
      if attempt.operation == "connect" {
        state.session = nil
        tracks.forgetSession()
      } else {
        tracks.detach()
      }
      post(failure)
      set(.disconnected, &state)
    }
    return failure
  }

  private func isCurrent(_ attempt: LifecycleAttempt, _ state: LifecycleState) -> Bool {
    if case .connecting(let number, _) = state.phase { number == attempt.number } else { false }
  }

  // MARK: Steps of an attempt

  /// Changes the state for `attempt`, unless it is no longer the current one: then false.
  @discardableResult
  func update(
    _ attempt: LifecycleAttempt, _ change: (inout LifecycleState, EventHub, TrackRegistry) -> Void
  ) -> Bool {
    state.withLock { state in
      guard isCurrent(attempt, state) else { return false }
      change(&state, events, tracks)
      return true
    }
  }

  func set(_ status: ReactorStatus, _ state: inout LifecycleState) {
    guard state.status != status else { return }
    state.status = status
    log.record("status \(status.rawValue)")
    events.post(status, to: events.status)
  }

  // MARK: Losing the connection

  /// The link says that it is gone. The session is kept.
  func lost(_ link: RuntimeLink, reason: String) {
    state.withLock { state in
      guard state.reaction(to: .connectionLost) == .drops, state.link === link else { return }
      state.phase = .disconnected
      tracks.detach()
      post(ReactorError(.disconnected, "the connection was lost: \(reason)"))
      set(.disconnected, &state)
    }
  }

  // MARK: Ending

  /// Ends the connection, and the session if this client created it. Waits for what is under way.
  func disconnect() async throws {
    while true {
      switch try nextDisconnectStep() {
      case .done: return
      case .again(let task):
        task.cancel()
        _ = await task.result
      case .end(let task):
        await task.value
        return
      }
    }
  }

  private enum DisconnectStep {
    case done
    case again(Task<Void, any Error>)
    case end(Task<Void, Never>)
  }

  private func nextDisconnectStep() throws -> DisconnectStep {
    try state.withLock { state in
      switch (state.reaction(to: .disconnect), state.phase) {
      case (.cancelsAttempt, .connecting(_, let task)): return .again(task)
      case (.waits, .disconnecting(let task)): return .end(task)
      case (.endsSession, _), (.leaves, _): return .end(beginEnding(&state))
      case (.nothing, _): return .done
      default: throw Lifecycle.refusal("disconnect", state, "make another one")
      }
    }
  }

  private func beginEnding(_ state: inout LifecycleState) -> Task<Void, Never> {
    let link = state.link
    let session = state.session
    let published = tracks.publishedTracks
    tracks.forgetSession()
    calls.sessionEnded()
    set(.disconnected, &state)
    let task = Task { [endSession] in
      if let link {
        for name in published { try? await link.notify(.unpublishTrack(name)) }
        await link.close(.disconnected)
      }
      if let session, session.isOwner { await endSession(session.id) }
      self.ended()
    }
    state.phase = .disconnecting(task)
    return task
  }

  private func ended() {
    state.withLock { state in
      guard state.reaction(to: .sessionEnded) == .forgetsSession else { return }
      state.phase = .disconnected
      if state.session != nil {
        state.session = nil
        events.post(nil, to: events.sessionID)
      }
    }
  }

  /// Ends everything here, at once and without telling the platform. Idempotent.
  ///
  /// - Returns: the link to close, and the cancelled attempt, which needs the network thread until it is over.
  func close() -> (isFirst: Bool, link: RuntimeLink?, attempt: Task<Void, any Error>?) {
    state.withLock { state in
      var attempt: Task<Void, any Error>?
      switch (state.reaction(to: .close), state.phase) {
      case (.nothing, _): return (false, nil, nil)
      case (.cancelsAndCloses, .connecting(_, let task)):
        task.cancel()
        attempt = task
      default: break
      }
      let link = state.link
      state.phase = .closed
      state.session = nil
      tracks.forgetSession()
      set(.disconnected, &state)
      return (true, link, attempt)
    }
  }

  // MARK: Log

  func note(_ text: String) {
    log.record(text, level: .debug)
  }

  func post(_ error: ReactorError) {
    log.record("error \(error.code.rawValue): \(error.message)", level: .error)
    events.post(error.stamped(), to: events.errors)
  }
}
