import STUN
import WireFormat

/// One generation of ICE: credentials, remote candidates, pairs and their checks. A restart makes a new one.
///
/// It decides which pair carries data. Gathering, TURN and the socket side are the agent's.
final class ICESession {
  let context: ICEContext
  var credentials: CheckCredentials
  var role: ICERole
  private(set) var tieBreaker: UInt64
  var checklist = Checklist()
  private(set) var remoteCandidates: [ICECandidate] = []
  var transactions: [CheckTransaction] = []
  private(set) var hasAllRemoteCandidates = false

  /// The pair that carries data: the nominated one, or before that the best valid one.
  var selected: CandidatePair?
  /// The pair that the controlling side settled on.
  var nominated: CandidatePair?
  /// Controlling: the pair whose nominating check is out.
  var nominating: CandidatePair?
  var firstValidAt: Instant?
  /// When the first check left, or the last usable pair went.
  var searchingSince: Instant?
  var hasConnected = false
  var hasFailed = false

  private var nextCheckAt = Instant.origin
  weak var checkExtension: (any ICECheckExtension)?
  /// Our candidates, to recognise the address that an answer reports.
  var localCandidate: (SocketAddress, CandidateBase) -> ICECandidate? = { _, _ in nil }

  init(context: ICEContext, parameters: ICEParameters, role: ICERole) {
    self.context = context
    credentials = CheckCredentials(local: parameters)
    self.role = role
    tieBreaker = context.random.next()
  }

  var canCheck: Bool { credentials.remote != nil && !hasFailed }

  // MARK: Candidates

  func setRemote(_ parameters: ICEParameters, at now: Instant) {
    credentials.set(remote: parameters)
    if parameters.isLite { switchRole(to: .controlling) }
    if searchingSince == nil { searchingSince = now }
    runChecks(at: now)
  }

  func pair(local: LocalCandidate, at now: Instant) {
    guard isPairable(local) else { return }
    for remote in remoteCandidates { addPair(local, remote) }
    runChecks(at: now)
  }

  /// Takes a candidate with an address; nothing happens when it is known or the table is full.
  func addRemote(_ candidate: ICECandidate, localCandidates: [LocalCandidate], at now: Instant) {
    guard remember(candidate) else { return }
    for local in localCandidates where isPairable(local) { addPair(local, candidate) }
    runChecks(at: now)
  }

  func endOfRemoteCandidates() {
    hasAllRemoteCandidates = true
  }

  /// A candidate that a check revealed; false when the table is full.
  func rememberPeerReflexive(_ candidate: ICECandidate) -> Bool { remember(candidate) }

  /// Adds to the remote candidates; false when known or full. A signalled candidate replaces the
  /// peer-reflexive one of the same address.
  private func remember(_ candidate: ICECandidate) -> Bool {
    if let index = remoteCandidates.firstIndex(where: { $0.socketAddress == candidate.socketAddress }) {
      let known = remoteCandidates[index]
      if known.kind == .peerReflexive, candidate.kind != .peerReflexive {
        remoteCandidates[index] = candidate
        for pair in checklist.pairs where pair.remote == known { pair.remote = candidate }
        // Pairs with other bases may still be missing: the peer-reflexive one had a single pair.
        return true
      }
      return false
    }
    guard remoteCandidates.count < context.limits.remoteCandidates else {
      context.emit(.note("more than \(context.limits.remoteCandidates) remote candidates: one is ignored"))
      return false
    }
    remoteCandidates.append(candidate)
    return true
  }

  /// Reflexive candidates are checked from their base, which has its own (RFC 8445 section 6.1.2.4).
  private func isPairable(_ local: LocalCandidate) -> Bool {
    local.candidate.kind == .host || local.candidate.kind == .relayed
  }

  /// - Parameter isProven: a check came from there, whatever the addresses look like: from this machine's own one to
  ///   loopback, say.
  @discardableResult
  func addPair(_ local: LocalCandidate, _ remote: ICECandidate, isProven: Bool = false) -> CandidatePair? {
    guard let address = remote.socketAddress else { return nil }
    let target = local.base.scoped(address)
    guard local.base.isOpen, isProven || local.base.canReach(target) else { return nil }
    if let known = checklist.pair(base: local.base, remote: target) { return known }
    let pair = CandidatePair(
      id: ICEPairID(number: context.nextNumber()), local: local, remote: remote, remoteAddress: target,
      priority: pairPriority(local.candidate.priority, remote.priority))
    return checklist.add(pair, limit: context.limits.pairs) ? pair : nil
  }

  private func pairPriority(_ local: UInt32, _ remote: UInt32) -> UInt64 {
    role == .controlling
      ? CandidatePriority.pair(controlling: local, controlled: remote)
      : CandidatePriority.pair(controlling: remote, controlled: local)
  }

  /// A base is gone, and its pairs with it.
  func remove(_ base: CandidateBase, at now: Instant) {
    let gone = checklist.removePairs(of: base)
    transactions.removeAll { $0.pair.base === base }
    if let nominating, gone.contains(where: { $0 === nominating }) { self.nominating = nil }
    if let nominated, gone.contains(where: { $0 === nominated }) { self.nominated = nil }
    updateSelection(at: now)
    if hasConnected { probeAll(at: now) }
  }

  // MARK: Roles (RFC 8445 section 7.3.1.1)

  func switchRole(to newRole: ICERole) {
    guard newRole != role else { return }
    role = newRole
    for pair in checklist.pairs {
      pair.priority = pairPriority(pair.local.priority, pair.remote.priority)
      pair.isNominationPending = false
    }
    nominating = nil
  }

  /// After a 487 the number must change (RFC 8445 section 7.1.3).
  func changeTieBreaker() {
    tieBreaker = context.random.next()
  }

  /// Sets the number, for tests of the comparison.
  func set(tieBreaker: UInt64) {
    self.tieBreaker = tieBreaker
  }

  // MARK: Sending checks

  /// Sends all checks that may leave now. Triggered ones do not wait for the pacing: each answers an
  /// authenticated request, so the peer's own pacing bounds them.
  func runChecks(at now: Instant) {
    guard canCheck else { return }
    while let pair = checklist.popTriggered() {
      check(pair, purpose: .check, at: now)
    }
    while now >= nextCheckAt, let pair = checklist.nextOrdinary {
      check(pair, purpose: .check, at: now)
      nextCheckAt = now + pacing(after: pair)
    }
  }

  private func pacing(after pair: CandidatePair) -> Interval {
    pair.isLocal ? context.timing.localPacing : context.timing.pacing
  }

  func check(_ pair: CandidatePair, purpose: CheckTransaction.Purpose, at now: Instant) {
    guard let username = credentials.requestUsername, let key = credentials.remoteKey else { return }
    var message = STUNMessage(.request, .binding, transactionID: context.transactionID())
    message.attributes = [
      .username(username),
      role == .controlling ? .iceControlling(tieBreaker) : .iceControlled(tieBreaker),
      .priority(CandidatePriority.peerReflexive(of: pair.local.priority)),
    ]
    // On a nominated pair the flag is repeated, so that a peer that lost its mind or the packet follows.
    if purpose == .nomination || (role == .controlling && pair === nominated) {
      message.attributes.append(.useCandidate)
    }
    if let checkExtension {
      message.attributes += checkExtension.attributes(for: .request, pair: pair.id)
    }
    let bytes = message.encoded(key: key)
    let isOneShot = purpose == .consent
    if !isOneShot {
      for index in transactions.indices where transactions[index].pair === pair {
        transactions[index].isCancelled = true
      }
      if pair.state != .succeeded { pair.state = .inProgress }
    } else {
      pair.counters.consentRequestsSent += 1
      pair.liveness?.probed(at: now, timing: context.timing, random: &context.random)
    }
    transactions.append(
      CheckTransaction(
        id: message.transactionID, pair: pair, purpose: purpose, role: role, bytes: bytes,
        schedule: RetransmissionSchedule(
          sentAt: now, timeout: isOneShot ? context.timing.consentExpiry : timeout(of: pair),
          transmissions: isOneShot ? 1 : context.timing.transmissions,
          lastWait: isOneShot ? 1 : context.timing.lastWait)))
    transmit(bytes, on: pair, at: now)
    if searchingSince == nil { searchingSince = now }
  }

  private func transmit(_ bytes: [UInt8], on pair: CandidatePair, at now: Instant) {
    pair.counters.requestsSent += 1
    pair.base.send(bytes, to: pair.remoteAddress, in: context, at: now)
  }

  /// RFC 8445 section 14.3: at least 500 ms, and long enough for all outstanding checks at their pace. Less
  /// where the round trip is known, or short by the kind of network.
  private func timeout(of pair: CandidatePair) -> Interval {
    let timing = context.timing
    if let measured = pair.roundTripTime { return max(timing.localTimeout, measured * Int64(2)) }
    let floor = pair.isLocal ? timing.localTimeout : timing.initialTimeout
    return max(floor, pacing(after: pair) * Int64(checklist.outstanding))
  }

  /// Something changed below: ask on every pair at once, valid or not.
  func probeAll(at now: Instant) {
    guard canCheck else { return }
    for pair in checklist.pairs where pair.base.isOpen {
      switch pair.state {
      case .succeeded: check(pair, purpose: .consent, at: now)
      case .failed: pair.state = .waiting
      default: break
      }
    }
    runChecks(at: now)
  }

  /// Sends the outstanding checks from `base` to `ip` again, at once: what held them up is gone.
  func retransmit(from base: CandidateBase, to ip: IPAddress, at now: Instant) {
    for transaction in transactions where !transaction.isCancelled {
      let pair = transaction.pair
      guard pair.base === base, pair.remoteAddress.ip == ip else { continue }
      transmit(transaction.bytes, on: pair, at: now)
    }
  }

  // MARK: Time

  func handleTimeout(at now: Instant) {
    expireTransactions(at: now)
    if hasConnected || selected != nil { runConsent(at: now) }
    retryFailedPairs(at: now)
    runChecks(at: now)
    considerNomination(at: now)
    updateSelection(at: now)
  }

  private func expireTransactions(at now: Instant) {
    var index = 0
    while index < transactions.count {
      guard transactions[index].schedule.next <= now else {
        index += 1
        continue
      }
      let transaction = transactions[index]
      if !transaction.isCancelled, transaction.pair.base.isOpen,
        transactions[index].schedule.expire(at: now)
      {
        transmit(transaction.bytes, on: transaction.pair, at: now)
        index += 1
        continue
      }
      transactions.remove(at: index)
      if !transaction.isCancelled, transaction.purpose != .consent { giveUp(transaction, at: now) }
    }
  }

  private func giveUp(_ transaction: CheckTransaction, at now: Instant) {
    if transaction.purpose == .nomination, nominating === transaction.pair { nominating = nil }
    if transaction.pair.state == .inProgress { fail(transaction.pair, at: now) }
  }

  func fail(_ pair: CandidatePair, at now: Instant) {
    pair.state = .failed
    pair.failedAt = now
    pair.liveness = nil
    pair.isNominated = false
    if nominated === pair { nominated = nil }
    if nominating === pair { nominating = nil }
    for index in transactions.indices where transactions[index].pair === pair {
      transactions[index].isCancelled = true
    }
    updateSelection(at: now)
  }

  /// While nothing works, what failed is tried again: the peer may have come later than all retransmissions.
  private func retryFailedPairs(at now: Instant) {
    guard selected == nil, canCheck else { return }
    for pair in checklist.pairs where pair.state == .failed && pair.base.isOpen {
      if let failedAt = pair.failedAt, now >= failedAt + context.timing.retryInterval {
        pair.state = .waiting
      }
    }
  }

  func nextTimeout() -> Instant? {
    guard !hasFailed else { return nil }
    var next: Instant?
    for transaction in transactions { next = .earliest(next, transaction.schedule.next) }
    if canCheck, checklist.nextOrdinary != nil { next = .earliest(next, nextCheckAt) }
    if selected == nil, canCheck {
      for pair in checklist.pairs where pair.state == .failed && pair.base.isOpen {
        next = .earliest(next, pair.failedAt.map { $0 + context.timing.retryInterval })
      }
    }
    next = .earliest(next, nextConsentTimeout())
    return .earliest(next, nominationDeadline)
  }
}
