import ReactorTypes

/// What a link tells the session, on the network thread and in order.
enum RuntimeLinkEvent: Sendable {
  case localCandidate(String, mid: String, index: Int)
  case endOfCandidates
  case message(JSONValue)
  case runtimeMessage(JSONValue)
  case modelError(code: String, message: String)
  /// The connection is gone, or the runtime has ended the session; `reason` is what it said.
  case lost(reason: String)
  /// For the log.
  case note(String)
}
