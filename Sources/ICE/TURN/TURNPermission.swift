import WireFormat

/// Leave for a peer's address to send to our relayed one (RFC 8656 section 9). It lasts 300 s.
struct TURNPermission {
  static let refreshInterval = Interval.seconds(240)

  let ip: IPAddress
  /// nil until granted.
  var grantedAt: Instant?
  /// The server refused this peer (403): checks to it are of no use.
  var isForbidden = false
  var lastUsed: Instant

  var refreshTime: Instant? { grantedAt.map { $0 + TURNPermission.refreshInterval } }
}
