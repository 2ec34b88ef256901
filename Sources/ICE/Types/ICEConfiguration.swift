/// What an agent is to do.
package struct ICEConfiguration: Sendable {
  /// The offerer is controlling, unless its peer is the only full agent (RFC 8445 section 6.1.1).
  package var role: ICERole
  package var servers: [ICEServer]
  package var policy: ICETransportPolicy
  package var limits = ICELimits()
  package var timing = ICETiming()
  /// Whether the driver can resolve `.local` names; else candidates with such names are ignored with a note.
  package var resolvesMulticastNames = true
  /// SOFTWARE of requests to servers; checks go without, they are small and many.
  package var software: String?

  package init(role: ICERole, servers: [ICEServer] = [], policy: ICETransportPolicy = .all) {
    self.role = role
    self.servers = servers
    self.policy = policy
  }
}
