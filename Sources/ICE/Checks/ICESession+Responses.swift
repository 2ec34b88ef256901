import STUN
import WireFormat

/// The client side of checks (RFC 8445 section 7.2.5).
extension ICESession {
  /// Takes a response; false when it belongs to none of our checks.
  func handleResponse(
    _ message: STUNMessage, bytes: RawSpan, base: CandidateBase, from source: SocketAddress, at now: Instant
  ) -> Bool {
    guard let index = transactions.firstIndex(where: { $0.id == message.transactionID }) else { return false }
    let transaction = transactions[index]
    guard let key = credentials.remoteKey else { return true }
    let code = message.errorCode?.code
    let isPlainRefusal = message.integrity.isEmpty && (code == 400 || code == 401)
    guard isPlainRefusal || message.isAuthentic(bytes, key: key) else { return true }
    let pair = transaction.pair
    transactions.remove(at: index)
    guard message.unknownRequiredTypes.isEmpty else {
      giveUpUnlessValid(pair, at: now)
      return true
    }
    if message.messageClass == .failure {
      handleError(code ?? 400, transaction, at: now)
      return true
    }
    guard pair.base === base, pair.remoteAddress == source else {
      // Section 7.2.5.2.1: what does not come back the way it went is no path.
      giveUpUnlessValid(pair, at: now)
      return true
    }
    if let checkExtension { checkExtension.received(message, pair: pair.id) }
    succeed(transaction, mapped: message.mappedAddress, at: now)
    return true
  }

  private func giveUpUnlessValid(_ pair: CandidatePair, at now: Instant) {
    if pair.state != .succeeded { fail(pair, at: now) }
  }

  private func handleError(_ code: Int, _ transaction: CheckTransaction, at now: Instant) {
    let pair = transaction.pair
    guard code == STUNErrorCode.roleConflict.code else {
      if transaction.purpose == .nomination, nominating === pair { nominating = nil }
      if !transaction.isCancelled { giveUpUnlessValid(pair, at: now) }
      return
    }
    // Section 7.2.5.1: switch unless another 487 did so already, then repeat the check in the new role.
    if transaction.role == role {
      switchRole(to: role.opposite)
      changeTieBreaker()
    }
    if pair.state == .succeeded {
      check(pair, purpose: .consent, at: now)
      considerNomination(at: now)
    } else {
      checklist.trigger(pair)
      runChecks(at: now)
    }
  }

  private func succeed(_ transaction: CheckTransaction, mapped: SocketAddress?, at now: Instant) {
    let pair = transaction.pair
    pair.counters.responsesReceived += 1
    if let sample = transaction.schedule.roundTrip(at: now) { pair.addRoundTrip(sample) }
    // Older requests of this pair have nothing more to tell, except nominating ones.
    transactions.removeAll { $0.pair === pair && $0.purpose != .nomination }
    if let mapped { learnLocal(mapped, on: pair) }
    if pair.state != .succeeded {
      pair.state = .succeeded
      pair.failedAt = nil
      pair.liveness = PairLiveness(validAt: now, timing: context.timing, random: &context.random)
      if firstValidAt == nil { firstValidAt = now }
      checklist.unfreeze(foundation: pair.foundation)
    }
    pair.liveness?.answered(at: now)
    if pair.isNominationPending, role == .controlled {
      pair.isNominationPending = false
      nominate(pair, at: now)
    }
    if transaction.purpose == .nomination, role == .controlling {
      pair.isNominated = true
      nominated = pair
      nominating = nil
    }
    updateSelection(at: now)
    considerNomination(at: now)
    runChecks(at: now)
  }

  /// The address that the peer saw (section 7.2.5.3.1): one of ours, or a peer-reflexive candidate.
  private func learnLocal(_ mapped: SocketAddress, on pair: CandidatePair) {
    guard mapped.ip != pair.local.address || mapped.port != pair.local.port else { return }
    if let known = localCandidate(mapped, pair.base) {
      pair.local = known
    } else {
      pair.local = ICECandidate(
        foundation: pair.local.foundation,
        priority: CandidatePriority.peerReflexive(of: pair.local.priority), address: mapped.ip,
        port: mapped.port, kind: pair.base.isRelay ? .relayed : .peerReflexive,
        relatedAddress: pair.base.address)
    }
  }
}
