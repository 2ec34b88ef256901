import ReactorTypes

/// One message from a client, in either generation.
package struct ClientFrame: Hashable, Sendable {
  package enum Payload: Hashable, Sendable {
    case command(Command)
    case requestStep(StepRequest)
    case ping
    case requestSchema
    case fileUploaded(FileRef)
    case requestClip(seconds: Double)
    case requestRecording
    case publishTrack(String)
    case pauseTrack(String)
    case resumeTrack(String)
    case unpublishTrack(String)
    case clientStats(ClientStats)
    case error(RemoteError)
  }

  /// Empty for notifications, and for all of the JSON generation but `publish_track`.
  package var requestID: String
  package var kind: MessageKind
  /// nil: empty, or of a kind that this version does not know.
  package var payload: Payload?

  package init(requestID: String = "", kind: MessageKind, payload: Payload?) {
    self.requestID = requestID
    self.kind = kind
    self.payload = payload
  }

  /// A message that expects no answer.
  package static func notification(_ payload: Payload) -> ClientFrame {
    ClientFrame(kind: .notification, payload: payload)
  }
}
