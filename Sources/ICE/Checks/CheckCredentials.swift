import STUN

/// Both sides' parameters with their keys set up.
struct CheckCredentials {
  let local: ICEParameters
  let localKey: STUNIntegrityKey
  private(set) var remote: ICEParameters?
  private(set) var remoteKey: STUNIntegrityKey?

  init(local: ICEParameters) {
    self.local = local
    localKey = STUNIntegrityKey(password: local.password)
  }

  mutating func set(remote: ICEParameters) {
    self.remote = remote
    remoteKey = STUNIntegrityKey(password: remote.password)
  }

  /// USERNAME of our requests (RFC 8445 section 7.2.2); nil before the peer's parameters are known.
  var requestUsername: String? { remote.map { "\($0.ufrag):\(local.ufrag)" } }

  /// The two ufrags of an incoming USERNAME.
  static func split(_ username: String) -> (local: Substring, remote: Substring)? {
    guard let colon = username.firstIndex(of: ":") else { return nil }
    return (username[..<colon], username[username.index(after: colon)...])
  }
}
