import ReactorTypes

/// Where a client's life stands. docs/lifecycle.md has the table of calls and states that this enum carries.
enum LifecyclePhase: Sendable {
  /// No connection. With a session, `reconnect` is possible.
  case disconnected
  /// A connect or reconnect is under way; `attempt` tells it from earlier and later ones.
  case connecting(attempt: UInt64, task: Task<Void, any Error>)
  case ready(RuntimeLink)
  /// `disconnect` is ending the session.
  case disconnecting(Task<Void, Never>)
  /// For good.
  case closed
}

/// The client's state as a whole, behind one lock.
struct LifecycleState: Sendable {
  var phase = LifecyclePhase.disconnected
  var status = ReactorStatus.disconnected
  var session: SessionRecord?
  /// Counts attempts; what an earlier one still says is ignored.
  var attempt: UInt64 = 0

  var isClosed: Bool {
    if case .closed = phase { true } else { false }
  }

  var link: RuntimeLink? {
    if case .ready(let link) = phase { link } else { nil }
  }
}
