import ReactorTypes

/// What a request was answered with.
package enum RequestReply: Hashable, Sendable {
  /// A command: its message; nil when its handler returned none, and always in the JSON generation, where a
  /// command is done once it is queued.
  case command(ModelMessage?)
  case schema(JSONValue)
  case clip(ClipReady)
  /// The publish request was granted.
  case published
  case step(StepOutcome)
}
