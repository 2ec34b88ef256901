import ReactorTypes

/// One message from a runtime, in either generation.
package struct ServerFrame: Hashable, Sendable {
  package enum Payload: Hashable, Sendable {
    case message(ModelMessage)
    case stepResult(StepOutcome)
    /// The OpenAPI document.
    case modelSchema(JSONValue)
    case clipReady(ClipReady)
    case clipFailed(reason: String)
    case moderation(Moderation)
    /// A publish request was granted.
    case publishTrack(String)
    case sessionEnded(reason: String)
    case error(RemoteError)
    /// A runtime message of the JSON generation that has no case here (`mediaStats`, for one).
    case other(type: String, data: JSONValue)
  }

  package var requestID: String
  package var kind: MessageKind
  /// nil: empty (a command that returned nothing), or of a kind that this version does not know.
  package var payload: Payload?

  package init(requestID: String = "", kind: MessageKind, payload: Payload?) {
    self.requestID = requestID
    self.kind = kind
    self.payload = payload
  }

  package static func notification(_ payload: Payload) -> ServerFrame {
    ServerFrame(kind: .notification, payload: payload)
  }

  package static func response(to requestID: String, _ payload: Payload?) -> ServerFrame {
    ServerFrame(requestID: requestID, kind: .response, payload: payload)
  }
}
