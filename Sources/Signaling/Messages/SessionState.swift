/// The state of a session, as the platform names it.
package enum SessionState: Hashable, Sendable {
  case created, pending, suspended, waiting, active, inactive, closed
  /// The local runtimes' words, and what later versions add: connecting goes on.
  case other(String)

  package init(_ text: String) {
    switch text.uppercased() {
    case "CREATED": self = .created
    case "PENDING": self = .pending
    case "SUSPENDED": self = .suspended
    case "WAITING": self = .waiting
    case "ACTIVE": self = .active
    case "INACTIVE": self = .inactive
    case "CLOSED": self = .closed
    default: self = .other(text)
    }
  }

  /// Whether the session will not come back.
  package var isTerminal: Bool { self == .closed || self == .inactive }
}
