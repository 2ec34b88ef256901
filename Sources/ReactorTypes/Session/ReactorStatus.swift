/// Where a client stands.
public enum ReactorStatus: String, Sendable, CaseIterable {
  /// No transport. A session may still exist: see `reconnect()`.
  case disconnected
  /// A session is being created or found.
  case connecting
  /// The session exists and is getting its compute; or the transport is being built.
  case waiting
  /// Commands, messages and media flow.
  case ready
}
