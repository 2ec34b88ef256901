import ReactorTypes

/// A session as the platform describes it; slim until its compute is there.
package struct SessionDescriptor: Hashable, Sendable {
  package let id: String
  package let state: SessionState
  /// As sent; empty when it was not.
  package let stateText: String
  package let model: String?
  package let cluster: String?
  package let serverVersion: String?
  /// `protocol` and `version`.
  package let selectedTransport: [String: JSONValue]?
  package let capabilities: Capabilities?
  /// Tracks of an unknown kind or direction, which `capabilities` leaves out: for the log.
  package let skippedTracks: [String]
  /// nil: not said, as by all runtimes that only stream.
  package let generation: String?
  /// The schema document, which the 2.10 runtime puts here.
  package let schema: JSONValue?
  /// Whether the session is recorded, if the runtime says so.
  package let isRecorded: Bool?
  /// All that was sent, with what this version does not know.
  package let raw: JSONValue

  /// Reads the body of a session answer; nil without a session id.
  package init?(json: JSONValue) {
    guard let id = json["session_id"]?.stringValue, !id.isEmpty else { return nil }
    self.id = id
    stateText = json["state"]?.stringValue ?? ""
    state = SessionState(stateText)
    model = json["model"]?["name"]?.stringValue
    cluster = json["cluster"]?.stringValue
    serverVersion = json["server_info"]?["server_version"]?.stringValue
    selectedTransport = json["selected_transport"]?.objectValue
    var skipped: [String] = []
    capabilities = json["capabilities"].flatMap { Capabilities(json: $0, skippedTracks: &skipped) }
    skippedTracks = skipped
    generation = json["generation"]?.stringValue
    schema = json["schema"].flatMap { $0.objectValue == nil ? nil : $0 }
    isRecorded = json["recording"]?["enabled"]?.boolValue
    raw = json
  }

  /// Whether the transport can be built.
  package var isReady: Bool { selectedTransport != nil && capabilities != nil }
}
