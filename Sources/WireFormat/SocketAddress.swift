/// An IP address and a port; for IPv6 link-local addresses also the interface that they belong to.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package var ip: IPAddress
  package var port: UInt16
  /// The interface index of a link-local IPv6 address; 0 otherwise.
  package var scopeID: UInt32

  package init(ip: IPAddress, port: UInt16, scopeID: UInt32 = 0) {
    self.ip = ip
    self.port = port
    self.scopeID = scopeID
  }

  /// From the text of an address; nil when `host` is not one.
  package init?(_ host: String, port: UInt16) {
    guard let ip = IPAddress(host) else { return nil }
    self.init(ip: ip, port: port)
  }

  /// `192.0.2.1:5000` or `[2001:db8::1]:5000`.
  package var description: String {
    ip.isIPv4 ? "\(ip):\(port)" : "[\(ip)]:\(port)"
  }
}
