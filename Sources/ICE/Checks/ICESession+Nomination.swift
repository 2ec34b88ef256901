import WireFormat

/// Which pair carries data (RFC 8445 section 8.1), and when another one takes over.
///
/// Data flows on the best valid pair from its first answer on; nomination only settles the choice. A direct
/// pair is nominated at once. A relayed one waits a moment for a direct one, unless none is left. A better
/// pair found later takes over, and so does any pair that answers while the nominated one does not.
extension ICESession {
  /// How long a relayed pair waits for a direct one before it is nominated.
  private static let relayPatience = Interval.milliseconds(200)
  /// How long a pair that had a gap must have been well before it takes over again.
  private static let recovery = Interval.seconds(10)
  /// Controlled: a peer that puts USE-CANDIDATE into every check nominates aggressively, and the best pair
  /// counts (RFC 5245 section 8.1.1.2). That it means another one shows when a pair gets the flag that was
  /// checked without before, or this long after the better pair had it last.
  private static let aggressiveWindow = Interval.seconds(3)

  /// Controlling: starts a nomination when one is due.
  func considerNomination(at now: Instant) {
    guard role == .controlling, canCheck, nominating == nil else { return }
    guard let best = bestHealthy(at: now), best !== nominated else { return }
    if nominated == nil {
      if best.isRelayed, let deadline = relayDeadline, now < deadline, mayFindDirect { return }
    } else if let nominated, nominated.isHealthy {
      guard best.priority > nominated.priority, isRecovered(best, at: now) else { return }
    }
    nominating = best
    check(best, purpose: .nomination, at: now)
  }

  private var relayDeadline: Instant? { firstValidAt.map { $0 + ICESession.relayPatience } }

  private var mayFindDirect: Bool {
    !hasAllRemoteCandidates || checklist.pairs.contains { $0.isActive && !$0.isRelayed }
  }

  /// When ``considerNomination(at:)`` wants to be asked again.
  var nominationDeadline: Instant? {
    guard role == .controlling, canCheck, nominating == nil, nominated == nil, selected != nil else {
      return nil
    }
    return relayDeadline
  }

  private func isRecovered(_ pair: CandidatePair, at now: Instant) -> Bool {
    guard let liveness = pair.liveness, let since = liveness.healthySince else { return false }
    return !liveness.hadGap || now >= since + ICESession.recovery
  }

  private func bestHealthy(at now: Instant) -> CandidatePair? {
    var best: CandidatePair?
    for pair in checklist.pairs where pair.isHealthy {
      if let current = best {
        // One that just came back does not displace one that stayed.
        let isFirm = isRecovered(pair, at: now)
        let isCurrentFirm = isRecovered(current, at: now)
        if isFirm != isCurrentFirm ? isCurrentFirm : current.priority >= pair.priority { continue }
      }
      best = pair
    }
    return best
  }

  /// Controlled: the peer's USE-CANDIDATE on a valid pair.
  func nominate(_ pair: CandidatePair, at now: Instant) {
    pair.isNominated = true
    if let current = nominated, current !== pair, current.isHealthy, current.priority > pair.priority,
      !pair.sawPlainCheck
    {
      let last = current.lastNomination ?? now
      if now < last + ICESession.aggressiveWindow { return }
    }
    nominated = pair
    updateSelection(at: now)
  }

  /// Chooses the pair that carries data, and tells when it is another one.
  func updateSelection(at now: Instant) {
    let choice: CandidatePair?
    if let nominated, nominated.isHealthy {
      choice = nominated
    } else if let best = bestHealthy(at: now) {
      // Without nomination yet: no hopping to a pair that is not better.
      if let selected, selected.isHealthy, selected.priority >= best.priority { return }
      choice = best
    } else if let nominated, nominated.isValid {
      choice = nominated
    } else if let selected, selected.isValid {
      choice = selected
    } else {
      choice = checklist.pairs.filter(\.isValid).max { $0.priority < $1.priority }
    }
    if choice != nil { hasConnected = true }
    guard choice !== selected else { return }
    selected = choice
    searchingSince = choice == nil ? now : searchingSince
  }
}
