import STUN
import WireFormat

/// A local base and a remote address between which checks go (RFC 8445 section 6.1.2).
final class CandidatePair {
  /// RFC 8445 section 6.1.2.6.
  enum State {
    case frozen
    case waiting
    case inProgress
    case succeeded
    case failed
  }

  let id: ICEPairID
  let base: CandidateBase
  /// After a check: the candidate as the peer sees it.
  var local: ICECandidate
  var remote: ICECandidate
  let remoteAddress: SocketAddress
  var priority: UInt64
  var state = State.frozen
  /// Set while the pair is valid.
  var liveness: PairLiveness?
  /// Controlling: a nominating check was answered. Controlled: the peer's was, on a valid pair.
  var isNominated = false
  /// Controlled: USE-CANDIDATE came before the pair was valid.
  var isNominationPending = false
  /// Controlled: a check without USE-CANDIDATE came, so that a later one with it is a choice, not a habit.
  var sawPlainCheck = false
  /// Controlled: when USE-CANDIDATE last came.
  var lastNomination: Instant?
  var failedAt: Instant?
  var roundTripTime: Interval?
  var totalRoundTripTime = Interval.zero
  var counters = PairCounters()

  init(
    id: ICEPairID, local: LocalCandidate, remote: ICECandidate, remoteAddress: SocketAddress, priority: UInt64
  ) {
    self.id = id
    base = local.base
    self.local = local.candidate
    self.remote = remote
    self.remoteAddress = remoteAddress
    self.priority = priority
  }

  /// A pair of equal foundation tells something about this one (RFC 8445 section 6.1.2.6).
  var foundation: String { "\(local.foundation) \(remote.foundation)" }

  var isValid: Bool { state == .succeeded && base.isOpen }
  var isHealthy: Bool { isValid && liveness?.isHealthy == true }
  var isRelayed: Bool { base.isRelay || remote.kind == .relayed }
  var isActive: Bool { state == .frozen || state == .waiting || state == .inProgress }

  /// Whether both ends are in networks where a check does not compete for an access link.
  var isLocal: Bool {
    func isNear(_ ip: IPAddress) -> Bool { ip.isLoopback || ip.isLinkLocal || ip.isPrivate }
    return !base.isRelay && isNear(base.address.ip) && isNear(remoteAddress.ip)
  }

  /// Smoothed like TCP's (RFC 6298): one late answer does not count for much.
  func addRoundTrip(_ sample: Interval) {
    totalRoundTripTime += sample
    roundTripTime = roundTripTime.map { ($0 * Int64(7) + sample) / 8 } ?? sample
  }
}
