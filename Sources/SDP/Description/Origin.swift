/// The `o=` line (RFC 8866 section 5.2). Identifier and version are digits of any length, hence text.
package struct Origin: Hashable, Sendable {
  package var username: String
  package var sessionID: String
  package var sessionVersion: String
  package var networkType: String
  package var addressType: String
  package var address: String

  package init(
    username: String = "-", sessionID: String, sessionVersion: String, networkType: String = "IN",
    addressType: String = "IP4", address: String = "127.0.0.1"
  ) {
    self.username = username
    self.sessionID = sessionID
    self.sessionVersion = sessionVersion
    self.networkType = networkType
    self.addressType = addressType
    self.address = address
  }

  /// A WebRTC origin: JSEP (RFC 8829 section 5.2.1) wants a 63-bit identifier and a version that counts.
  package init(sessionID: UInt64, version: UInt64) {
    self.init(sessionID: String(sessionID & UInt64(Int64.max)), sessionVersion: String(version))
  }

  /// The same session, one version later. A version that is no 64-bit number becomes 1.
  package var next: Origin {
    var later = self
    later.sessionVersion = String((UInt64(decimal: sessionVersion) ?? 0) &+ 1)
    return later
  }

  init?(parsing value: Substring) {
    let fields = value.tokens
    guard fields.count == 6 else { return nil }
    self.init(
      username: String(fields[0]), sessionID: String(fields[1]), sessionVersion: String(fields[2]),
      networkType: String(fields[3]), addressType: String(fields[4]), address: String(fields[5]))
  }

  var value: String {
    "\(username) \(sessionID) \(sessionVersion) \(networkType) \(addressType) \(address)"
  }
}
