/// Who sends the ClientHello. SDP `a=setup`: active is the client, passive the server (RFC 8842).
package enum DTLSRole: Sendable {
  case client
  case server
}
