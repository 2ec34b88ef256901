/// Where a client's life stands, as far as a call needs to know: the columns of the table in docs/lifecycle.md.
package enum LifecycleColumn: String, CaseIterable, Sendable {
  case unconnected = "disconnected, no session"
  case dropped = "disconnected, a session"
  case connecting
  case ready
  case disconnecting
  case closed
}

/// What comes to a client, from its user or from inside: the rows of the table.
package enum LifecycleInput: String, CaseIterable, Sendable {
  case connect = "`connect`"
  case reconnect = "`reconnect`"
  case disconnect = "`disconnect`"
  case close = "`close`, or the last reference goes"
  case request = "commands, schema, uploads, clips, publish, pause, stats"
  case registration = "handlers of a track, bitrates, downloads"
  case attemptSucceeded = "the attempt is through"
  case attemptFailed = "a step of the attempt fails, or its caller is cancelled"
  case connectionLost = "the connection is lost"
  case sessionEnded = "the end is done"
}

/// What a client does about it: the cells of the table.
package enum LifecycleReaction: String, CaseIterable, Sendable {
  case begins
  case cyclesConnection = "closes the connection, begins"
  case refuses = "`invalidState`"
  case goes
  case nothing
  case waits
  case endsSession = "ends an own session"
  case leaves = "closes the connection, ends an own session"
  case cancelsAttempt = "cancels the attempt, waits, then again"
  case closes = "closed"
  case cancelsAndCloses = "cancels the attempt, closed"
  case disconnectsAndCloses = "closes the connection, closed"
  case becomesReady = "ready"
  case failsAttempt = "error event, an own session of `connect` is ended, disconnected"
  case drops = "error event, the session is kept, disconnected"
  case forgetsSession = "the session is forgotten, disconnected"
}

/// The one table of a client's life. `Lifecycle` asks it about every call and event; a test compares it with
/// docs/lifecycle.md, and others walk through its cells.
package enum LifecycleTable {
  package static func reaction(to input: LifecycleInput, in column: LifecycleColumn) -> LifecycleReaction {
    switch input {
    case .connect:
      switch column {
      case .unconnected, .dropped: .begins
      case .connecting, .ready, .disconnecting, .closed: .refuses
      }
    case .reconnect:
      switch column {
      case .dropped: .begins
      case .ready: .cyclesConnection
      case .unconnected, .connecting, .disconnecting, .closed: .refuses
      }
    case .disconnect:
      switch column {
      case .unconnected: .nothing
      case .dropped: .endsSession
      case .connecting: .cancelsAttempt
      case .ready: .leaves
      case .disconnecting: .waits
      case .closed: .refuses
      }
    case .close:
      switch column {
      case .unconnected, .dropped, .disconnecting: .closes
      case .connecting: .cancelsAndCloses
      case .ready: .disconnectsAndCloses
      case .closed: .nothing
      }
    case .request: column == .ready ? .goes : .refuses
    case .registration: column == .closed ? .refuses : .goes
    case .attemptSucceeded: column == .connecting ? .becomesReady : .nothing
    case .attemptFailed: column == .connecting ? .failsAttempt : .nothing
    case .connectionLost: column == .ready ? .drops : .nothing
    case .sessionEnded: column == .disconnecting ? .forgetsSession : .nothing
    }
  }
}
