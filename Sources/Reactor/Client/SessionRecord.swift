import ReactorTypes

/// What the client knows of its session.
struct SessionRecord: Sendable {
  let id: String
  /// Whether this client created it, and so ends it.
  let isOwner: Bool
  var capabilities: Capabilities?
  /// The registered connection; reused by a reconnect.
  var connectionID: UInt32?
}
