import ReactorTypes

/// What a ``ClientConversation`` reports, in the order in which it happened.
package enum ConversationEvent: Hashable, Sendable {
  /// A request of this client is settled.
  case settled(RequestToken, Result<RequestReply, RequestFailure>)
  /// The model said something; a reply to a command is reported here first and then settled.
  case message(ModelMessage)
  /// The platform said something: `clipReady`, `clipFailed`, `moderation`, and what this version does not know.
  case runtimeMessage(type: String, data: JSONValue)
  /// An error that belongs to no request: without an id, or later than its request's time limit.
  case modelError(RemoteError)
  /// The session is over; the channels close next. What still waits may be answered until then.
  case sessionEnded(reason: String)
  /// It is time for a quality report: call ``ClientConversation/report(_:)``.
  case reportDue
  /// A message was dropped; `reason` is for the log.
  case dropped(channel: ChannelLabel, reason: String)
}
