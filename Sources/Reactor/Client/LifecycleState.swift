import ReactorTypes

/// Where a client's life stands.
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

  var column: LifecycleColumn {
    switch phase {
    case .disconnected: session == nil ? .unconnected : .dropped
    case .connecting: .connecting
    case .ready: .ready
    case .disconnecting: .disconnecting
    case .closed: .closed
    }
  }

  func reaction(to input: LifecycleInput) -> LifecycleReaction {
    LifecycleTable.reaction(to: input, in: column)
  }

  var isClosed: Bool { column == .closed }

  var link: RuntimeLink? {
    if case .ready(let link) = phase { link } else { nil }
  }
}
