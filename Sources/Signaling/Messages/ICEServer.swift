import ReactorTypes

/// A STUN or TURN server that the platform offers.
package struct ICEServer: Hashable, Sendable {
  /// `stun:`, `stuns:`, `turn:` and `turns:` URIs, as sent.
  package let uris: [String]
  package let username: String?
  package let password: String?

  package init(uris: [String], username: String? = nil, password: String? = nil) {
    self.uris = uris
    self.username = username
    self.password = password
  }

  // More servers than any deployment names.
  private static let maxCount = 64

  /// The list of an `ice_servers` answer; nil when there is none. Entries without URIs are left out.
  static func list(json: JSONValue) -> [ICEServer]? {
    guard let entries = json["ice_servers"]?.arrayValue else { return nil }
    return entries.prefix(maxCount).compactMap { entry in
      var uris = entry["uris"]?.arrayValue?.compactMap(\.stringValue) ?? []
      if let uri = entry["uris"]?.stringValue ?? entry["urls"]?.stringValue { uris.append(uri) }
      uris += entry["urls"]?.arrayValue?.compactMap(\.stringValue) ?? []
      guard !uris.isEmpty else { return nil }
      let credentials = entry["credentials"] ?? entry
      return ICEServer(
        uris: Array(uris.prefix(maxCount)), username: credentials["username"]?.stringValue,
        password: (credentials["password"] ?? credentials["credential"])?.stringValue)
    }
  }
}

extension ICEServer: CustomStringConvertible {
  /// Without credentials.
  package var description: String { "ICEServer(\(uris.joined(separator: " ")))" }
}
