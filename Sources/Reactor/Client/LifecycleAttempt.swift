import ReactorTypes
import ReactorWire
import Synchronization

/// The steps of an attempt, in their order; docs/lifecycle.md says how each fails and what is undone then.
package enum AttemptStep: String, CaseIterable, Sendable {
  case session, description, servers, registration, offer, answer, transport
}

/// One connect or reconnect on its way. What it reports is ignored once it is no longer the current one, so that
/// timers and answers of an old connection cannot disturb a new one.
final class LifecycleAttempt: Sendable {
  let number: UInt64
  let operation: String
  private let lifecycle: Lifecycle
  private let link = Mutex<RuntimeLink?>(nil)

  init(number: UInt64, operation: String, lifecycle: Lifecycle) {
    self.number = number
    self.operation = operation
    self.lifecycle = lifecycle
  }

  /// For the log: what the attempt waits for now.
  func entered(_ step: AttemptStep) {
    lifecycle.note("\(operation): \(step.rawValue)")
  }

  /// The session exists.
  func found(_ session: SessionRecord) {
    lifecycle.update(self) { state, events, _ in
      let isNew = state.session?.id != session.id
      state.session = session
      if isNew { events.post(session.id, to: events.sessionID) }
      lifecycle.set(.waiting, &state)
    }
  }

  /// The session's description is complete.
  func declared(_ capabilities: Capabilities) {
    lifecycle.update(self) { state, events, tracks in
      state.session?.capabilities = capabilities
      tracks.declare(capabilities.tracks)
      events.post(capabilities, to: events.capabilities)
    }
  }

  func registered(connectionID: UInt32) {
    lifecycle.update(self) { state, _, _ in state.session?.connectionID = connectionID }
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
    lifecycle.update(self) { _, events, _ in events.post(track, to: events.tracks) }
  }

  /// The link is ready and the client with it.
  ///
  /// - Throws: `.aborted` when the attempt was overtaken (closed or disconnected meanwhile), `.disconnected` when
  ///   the link went in its first moments, before anybody listened.
  func succeeded(_ link: RuntimeLink) throws {
    var isGone = false
    let isCurrent = lifecycle.update(self) { state, _, tracks in
      // The link says that it is over before it tells: either this sees it, or `lost` comes after this.
      guard !link.isOver, state.reaction(to: .attemptSucceeded) == .becomesReady else {
        isGone = true
        return
      }
      state.phase = .ready(link)
      tracks.setReady(true)
      lifecycle.set(.ready, &state)
    }
    guard isCurrent else {
      throw ReactorError(.aborted, "the client was disconnected meanwhile", operation: operation)
    }
    guard !isGone else { throw RequestFailure.disconnected }
    self.link.withLock { $0 = nil }
  }
}
