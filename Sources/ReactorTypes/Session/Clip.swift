/// An accepted request for a recording: not yet a finished file.
///
/// The platform clamps it to the media that exists; download it with `download(_:to:readyTimeout:progress:)`.
public struct Clip: Sendable, Hashable {
  /// Where its playlist is.
  public let playlistURL: String
  /// The recording's id, which is not the session's.
  public let sessionID: String?
  /// `snap` or `recording`.
  public let kind: String?
  /// When its media should be complete, in milliseconds of Unix time. A guess, not a promise.
  public let predictedReadyAtMS: Double?
  /// All that the platform said.
  public let raw: JSONValue

  package init(
    playlistURL: String, sessionID: String?, kind: String?, predictedReadyAtMS: Double?, raw: JSONValue
  ) {
    self.playlistURL = playlistURL
    self.sessionID = sessionID
    self.kind = kind
    self.predictedReadyAtMS = predictedReadyAtMS
    self.raw = raw
  }

  /// Reads `clipReady` data; nil without a playlist URL.
  package init?(json: JSONValue) {
    guard let playlistURL = json["playlist_url"]?.stringValue, !playlistURL.isEmpty else { return nil }
    self.init(
      playlistURL: playlistURL, sessionID: json["session_id"]?.stringValue, kind: json["kind"]?.stringValue,
      predictedReadyAtMS: json["predicted_ready_at_ms"]?.doubleValue, raw: json)
  }
}

extension Clip {
  /// Where the clip starts, in seconds on the recording's timeline.
  public var startMarker: Double? { raw["start_marker"]?.doubleValue }
  /// Where the clip ends, in seconds on the recording's timeline.
  public var endMarker: Double? { raw["end_marker"]?.doubleValue }
  /// Where the recording stood at the request, in seconds on its timeline.
  public var nowMarker: Double? { raw["now_marker"]?.doubleValue }
}
