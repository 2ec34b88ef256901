/// What is wrong with a server URI.
package enum ICEServerURIError: Error, Hashable, Sendable {
  case missingScheme
  /// Not `stun`, `stuns`, `turn` or `turns`.
  case unknownScheme(String)
  case missingHost
  /// Not a name, an IPv4 address or an IPv6 address in brackets; also one with user information or a path.
  case invalidHost
  /// Not a number from 1 to 65535.
  case invalidPort
  /// A query on a STUN URI, or one that is not `transport=…`.
  case unexpectedQuery
  /// A transport other than `udp` and `tcp`.
  case unknownTransport
}
