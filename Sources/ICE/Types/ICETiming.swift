import WireFormat

/// The agent's clockwork. The defaults are what the comments argue for; tests and drivers may change them.
package struct ICETiming: Sendable {
  /// Ta between checks whose both ends are loopback, link-local or private addresses: RFC 8445 section 14.2's
  /// minimum, as such a check does not compete for an access link.
  package var localPacing: Interval = .milliseconds(5)
  /// Ta otherwise: the RFC's default. It never delays a first check, an answer to a peer's check, or a
  /// nomination; only the second and later pairs of a list wait for it.
  package var pacing: Interval = .milliseconds(50)
  /// Between requests to STUN and TURN servers. They are few, and bounded by the limits.
  package var gatheringPacing: Interval = .milliseconds(5)
  /// First retransmission timeout (RFC 8445 section 14.3 has 500 ms at least) until something is known.
  package var initialTimeout: Interval = .milliseconds(500)
  /// First timeout between private addresses, and lower bound where a round trip was measured (RFC 8489
  /// section 6.2.1 lets a known round trip lower it).
  package var localTimeout: Interval = .milliseconds(100)
  /// Rc: how often a request is sent in all.
  package var transmissions = 7
  /// Rm: how many first timeouts the last one waits.
  package var lastWait = 16
  /// Consent checks: 5 s, each drawn from 0.8 to 1.2 times that (RFC 7675 section 5.1).
  package var consentInterval: Interval = .seconds(5)
  package var consentExpiry: Interval = .seconds(30)
  /// Silence on the selected pair after which it is probed before its consent check is due.
  package var silenceProbe: Interval = .milliseconds(2500)
  /// Between probes of a silent pair.
  package var probeInterval: Interval = .milliseconds(500)
  /// Silence that makes the state ``ICEConnectionState/disconnected``.
  package var disconnectedAfter: Interval = .seconds(5)
  /// From the first check (or from the loss of the last pair) to ``ICEConnectionState/failed``.
  package var failedAfter: Interval = .seconds(30)
  /// How long after a restart what comes over the old pairs is still taken: the peer has to find out by itself
  /// that the new ones work.
  package var restartOverlap: Interval = .seconds(5)
  /// Keep-alive of valid pairs that are not selected, so that they can take over.
  package var backupInterval: Interval = .seconds(10)
  /// Keep-alive of server-reflexive mappings and TURN servers: below the 30 s of the strictest NATs.
  package var serverKeepAlive: Interval = .seconds(15)
  /// When gathering counts as complete although servers have not answered.
  package var gatheringLimit: Interval = .seconds(5)
  /// How long TURN over TCP or TLS waits for TURN over UDP to be faster.
  package var streamFallbackDelay: Interval = .milliseconds(300)
  /// How long a name may take to resolve.
  package var resolutionLimit: Interval = .seconds(5)
  /// Between checks of pairs that failed once, while nothing better is left to check.
  package var retryInterval: Interval = .seconds(2)

  package init() {}
}
