import ReactorTypes
import ReactorWire
import Signaling
import Synchronization

/// A client's life: connect, reconnect, disconnect, close, and what happens to it from outside.
///
/// Every change of state happens under one lock, together with the posting of its events, so that handlers
/// see the order in which things happened. The work itself runs in tasks outside the lock.
final class Lifecycle: Sendable {
  private let state = Mutex(LifecycleState())
  private let events: EventHub
  private let tracks: TrackRegistry
  private let log: SessionLog
  /// Ends a session on the platform; failures are logged, never thrown.
  private let endSession: @Sendable (String) async -> Void

  init(
    events: EventHub, tracks: TrackRegistry, log: SessionLog,
    endSession: @escaping @Sendable (String) async -> Void
  ) {
    self.events = events
    self.tracks = tracks
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
      if let link = state.link { return link }
      throw ReactorError(
        .invalidState,
        state.isClosed
          ? "the client is closed"
          : "the client is \(state.status.rawValue); connect and wait for ready first",
        operation: operation)
    }
  }

  // MARK: Connecting

  /// What an attempt does once it may begin.
  typealias Procedure = @Sendable (Attempt) async throws -> Void

  /// Runs a connect: refused unless disconnected.
  func connect(_ procedure: @escaping Procedure) async throws {
    let task = try begin("connect") { state in
      guard case .disconnected = state.phase else {
        throw ReactorError(
          .invalidState, "connect needs a disconnected client, this one is \(state.status.rawValue)",
          operation: "connect")
      }
      state.session = nil
    } _: {
      try await procedure($0)
    }
    try await wait(for: task)
  }

  /// Runs a reconnect: from disconnected with a session, or from ready, whose link is closed first.
  func reconnect(_ procedure: @escaping Procedure) async throws {
    let old = Mutex<RuntimeLink?>(nil)
    let task = try begin("reconnect") { state in
      switch state.phase {
      case .disconnected: break
      case .ready(let link): old.withLock { $0 = link }
      case .connecting, .disconnecting, .closed:
        throw ReactorError(
          .invalidState,
          "reconnect needs a ready or disconnected client, this one is \(state.status.rawValue)",
          operation: "reconnect")
      }
      guard state.session != nil else {
        throw ReactorError(
          .invalidState, "there is no session to reconnect to; connect first", operation: "reconnect")
      }
      if state.link != nil {
        tracks.detach()
        set(.disconnected, &state)
      }
    } _: { attempt in
      if let link = old.withLock({ $0 }) { await link.close(.disconnected) }
      try await procedure(attempt)
    }
    try await wait(for: task)
  }

  private func begin(
    _ operation: String, admit: (inout LifecycleState) throws -> Void, _ procedure: @escaping Procedure
  ) throws -> Task<Void, any Error> {
    try state.withLock { state in
      if state.isClosed { throw ReactorError(.invalidState, "the client is closed", operation: operation) }
      try admit(&state)
      state.attempt += 1
      let attempt = Attempt(number: state.attempt, operation: operation, lifecycle: self)
      let task = Task {
        do {
          try await procedure(attempt)
        } catch {
          throw await self.failed(attempt, error)
        }
      }
      state.phase = .connecting(attempt: state.attempt, task: task)
      set(.connecting, &state)
      return task
    }
  }

  private func wait(for task: Task<Void, any Error>) async throws {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cleans up after an attempt and gives the error that its caller gets.
  private func failed(_ attempt: Attempt, _ error: any Error) async -> ReactorError {
    await attempt.closeLink()
    let failure = ReactorError.from(error, operation: attempt.operation)
    let orphan = state.withLock { state -> String? in
      guard attempt.operation == "connect", let session = state.session, isCurrent(attempt, state) else {
        return nil
      }
      return session.isOwner ? session.id : nil
    }
    // The session that a failed connect created is ended even when the connect was cancelled.
    if let orphan { await Task.detached { [endSession] in await endSession(orphan) }.value }
    state.withLock { state in
      guard isCurrent(attempt, state) else { return }
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

  private func isCurrent(_ attempt: Attempt, _ state: LifecycleState) -> Bool {
    if case .connecting(let number, _) = state.phase { number == attempt.number } else { false }
  }

  // MARK: Steps of an attempt

  /// One connect or reconnect on its way. What it reports is ignored once it is no longer the current one.
  final class Attempt: Sendable {
    let number: UInt64
    let operation: String
    private let lifecycle: Lifecycle
    private let link = Mutex<RuntimeLink?>(nil)

    init(number: UInt64, operation: String, lifecycle: Lifecycle) {
      self.number = number
      self.operation = operation
      self.lifecycle = lifecycle
    }

    /// The session exists.
    func found(_ session: SessionRecord) {
      lifecycle.update(self) { state in
        let isNew = state.session?.id != session.id
        state.session = session
        if isNew { lifecycle.events.post(session.id, to: lifecycle.events.sessionID) }
        lifecycle.set(.waiting, &state)
      }
    }

    /// The session's description is complete.
    func declared(_ capabilities: Capabilities) {
      lifecycle.update(self) { state in
        state.session?.capabilities = capabilities
        lifecycle.tracks.declare(capabilities.tracks)
        lifecycle.events.post(capabilities, to: lifecycle.events.capabilities)
      }
    }

    func registered(connectionID: UInt32) {
      lifecycle.update(self) { $0.session?.connectionID = connectionID }
    }

    /// Keeps the link, so that a failure closes it.
    func building(_ link: RuntimeLink) {
      self.link.withLock { $0 = link }
    }

    func closeLink() async {
      let link = link.withLock { link in
        defer { link = nil }
        return link
      }
      await link?.close(.aborted)
    }

    /// A recvonly track's media is set up.
    func announce(_ track: Track) {
      lifecycle.update(self) { _ in lifecycle.events.post(track, to: lifecycle.events.tracks) }
    }

    /// The link is ready and the client with it.
    ///
    /// - Throws: `.aborted` when the attempt was overtaken (closed or disconnected meanwhile).
    func succeeded(_ link: RuntimeLink) throws {
      let isCurrent = lifecycle.update(self) { state in
        state.phase = .ready(link)
        lifecycle.tracks.setReady(true)
        lifecycle.set(.ready, &state)
      }
      guard isCurrent else {
        throw ReactorError(.aborted, "the client was disconnected meanwhile", operation: operation)
      }
      self.link.withLock { $0 = nil }
    }
  }

  @discardableResult
  private func update(_ attempt: Attempt, _ change: (inout LifecycleState) -> Void) -> Bool {
    state.withLock { state in
      guard isCurrent(attempt, state) else { return false }
      change(&state)
      return true
    }
  }

  // MARK: Losing the connection

  /// The link says that it is gone. The session is kept.
  func lost(_ link: RuntimeLink, reason: String) {
    state.withLock { state in
      guard let current = state.link, current === link else { return }
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
      case .cancel(let task):
        task.cancel()
        _ = await task.result
      case .wait(let task): await task.value
      case .end(let task):
        await task.value
        return
      }
    }
  }

  private enum DisconnectStep {
    case done
    case cancel(Task<Void, any Error>)
    case wait(Task<Void, Never>)
    case end(Task<Void, Never>)
  }

  private func nextDisconnectStep() throws -> DisconnectStep {
    try state.withLock { state in
      switch state.phase {
      case .closed: throw ReactorError(.invalidState, "the client is closed", operation: "disconnect")
      case .connecting(_, let task): return .cancel(task)
      case .disconnecting(let task): return .wait(task)
      case .disconnected where state.session == nil: return .done
      case .disconnected, .ready: return .end(beginEnding(&state))
      }
    }
  }

  private func beginEnding(_ state: inout LifecycleState) -> Task<Void, Never> {
    let link = state.link
    let session = state.session
    let published = tracks.publishedTracks
    tracks.forgetSession()
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
      guard case .disconnecting = state.phase else { return }
      state.phase = .disconnected
      if state.session != nil {
        state.session = nil
        events.post(nil, to: events.sessionID)
      }
    }
  }

  /// Ends everything here, at once and without telling the platform. Idempotent.
  ///
  /// - Returns: the link to close; nil when there is none, or it was closed before.
  func close() -> (isFirst: Bool, link: RuntimeLink?) {
    state.withLock { state in
      guard !state.isClosed else { return (false, nil) }
      let link = state.link
      if case .connecting(_, let task) = state.phase { task.cancel() }
      state.phase = .closed
      state.session = nil
      tracks.forgetSession()
      set(.disconnected, &state)
      return (true, link)
    }
  }

  // MARK: Events

  private func set(_ status: ReactorStatus, _ state: inout LifecycleState) {
    guard state.status != status else { return }
    state.status = status
    log.record("status \(status.rawValue)")
    events.post(status, to: events.status)
  }

  func post(_ error: ReactorError) {
    log.record("error \(error.code.rawValue): \(error.message)")
    events.post(error.stamped(), to: events.errors)
  }
}
