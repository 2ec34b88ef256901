import ReactorTypes

/// An accepted clip or recording (wire protocol section 8).
package struct ClipReady: Hashable, Sendable {
  package var sessionID: String
  /// `snap` or `recording`.
  package var kind: String
  /// Seconds on the recording's timeline.
  package var startMarker: Double
  package var endMarker: Double
  package var nowMarker: Double
  /// Milliseconds of Unix time.
  package var predictedReadyAtMS: Int64
  /// Path-only in both runtimes; absolute ones are possible.
  package var playlistURL: String
  /// Keys of the JSON wire that this version does not know.
  package var extraFields: [String: JSONValue]

  package init(
    sessionID: String = "", kind: String = "", startMarker: Double = 0, endMarker: Double = 0,
    nowMarker: Double = 0, predictedReadyAtMS: Int64 = 0, playlistURL: String = "",
    extraFields: [String: JSONValue] = [:]
  ) {
    self.sessionID = sessionID
    self.kind = kind
    self.startMarker = startMarker
    self.endMarker = endMarker
    self.nowMarker = nowMarker
    self.predictedReadyAtMS = predictedReadyAtMS
    self.playlistURL = playlistURL
    self.extraFields = extraFields
  }

  /// Reads the JSON form; absent fields are zero or empty.
  package init(json: JSONValue) {
    var rest = json.objectValue ?? [:]
    func text(_ key: String) -> String { rest.removeValue(forKey: key)?.stringValue ?? "" }
    func number(_ key: String) -> Double { rest.removeValue(forKey: key)?.doubleValue ?? 0 }
    self.init(
      sessionID: text("session_id"), kind: text("kind"), startMarker: number("start_marker"),
      endMarker: number("end_marker"), nowMarker: number("now_marker"),
      predictedReadyAtMS: Int64(saturating: number("predicted_ready_at_ms")),
      playlistURL: text("playlist_url"))
    extraFields = rest
  }

  /// The JSON form, which ``Clip`` is read from.
  package var json: JSONValue {
    var members = extraFields
    members["session_id"] = .string(sessionID)
    members["kind"] = .string(kind)
    members["start_marker"] = .number(startMarker)
    members["end_marker"] = .number(endMarker)
    members["now_marker"] = .number(nowMarker)
    members["predicted_ready_at_ms"] = .number(Double(predictedReadyAtMS))
    members["playlist_url"] = .string(playlistURL)
    return .object(members)
  }
}

extension Int64 {
  /// The whole part of `value`; NaN is zero, and what does not fit is the nearest that does.
  init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 0x1p63 {
      self = .max
    } else if value < -0x1p63 {
      self = .min
    } else {
      self = Int64(value)
    }
  }
}
