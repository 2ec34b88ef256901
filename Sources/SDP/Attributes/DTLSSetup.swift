/// `a=setup` (RFC 4145 section 4, RFC 8842 section 5): who starts the DTLS handshake.
package enum DTLSSetup: String, Hashable, Sendable, CaseIterable {
  case active, passive, actpass, holdconn
}
