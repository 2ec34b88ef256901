/// STUN or TURN servers that share credentials, as signalling hands them out.
package struct ICEServer: Sendable, Hashable {
  package var uris: [ICEServerURI]
  package var username: String?
  package var password: String?

  package init(uris: [ICEServerURI], username: String? = nil, password: String? = nil) {
    self.uris = uris
    self.username = username
    self.password = password
  }
}

extension ICEServer: CustomStringConvertible {
  /// Without credentials.
  package var description: String { uris.map(\.description).joined(separator: ", ") }
}
