import WireFormat

/// Consent freshness, keep-alives and the loss of paths (RFC 7675, RFC 8445 section 11).
extension ICESession {
  func runConsent(at now: Instant) {
    guard canCheck else { return }
    let isSelectedSilent = selected.map { !$0.isHealthy } ?? true
    for pair in checklist.pairs {
      guard pair.isValid, let liveness = pair.liveness else { continue }
      if now >= liveness.lastAnswer + context.timing.consentExpiry {
        fail(pair, at: now)
        // Consent is gone for good (RFC 7675 section 5.1): only a restart gives a new one.
        if selected == nil { hasFailed = true }
        continue
      }
      let due =
        pair === selected
        ? liveness.nextProbe(timing: context.timing, roundTripTime: pair.roundTripTime)
        : liveness.nextBackupProbe(timing: context.timing)
      if now >= due { check(pair, purpose: .consent, at: now) }
    }
    if isSelectedSilent { probeStandby(at: now) }
  }

  /// The selected pair does not answer: ask the others at once, once a gap.
  private func probeStandby(at now: Instant) {
    for pair in checklist.pairs where pair !== selected && pair.isValid {
      guard let liveness = pair.liveness, liveness.unanswered == 0,
        now >= liveness.lastAnswer + .seconds(1)
      else { continue }
      check(pair, purpose: .consent, at: now)
    }
  }

  /// When the selected pair, if nothing is heard, makes the state disconnected.
  var disconnectionTime: Instant? {
    selected?.liveness.map { $0.lastHeard + context.timing.disconnectedAfter }
  }

  /// Whether the selected pair has been silent for that long, requests of ours being out.
  func isSilent(at now: Instant) -> Bool {
    guard let liveness = selected?.liveness, liveness.unanswered > 0 else { return false }
    return now >= liveness.lastHeard + context.timing.disconnectedAfter
  }

  func nextConsentTimeout() -> Instant? {
    guard canCheck, hasConnected else { return nil }
    var next: Instant?
    let isSelectedSilent = selected.map { !$0.isHealthy } ?? true
    for pair in checklist.pairs {
      guard pair.isValid, let liveness = pair.liveness else { continue }
      next = .earliest(next, liveness.lastAnswer + context.timing.consentExpiry)
      if pair === selected {
        next = .earliest(
          next, liveness.nextProbe(timing: context.timing, roundTripTime: pair.roundTripTime))
      } else {
        next = .earliest(next, liveness.nextBackupProbe(timing: context.timing))
        if isSelectedSilent, liveness.unanswered == 0 {
          next = .earliest(next, liveness.lastAnswer + .seconds(1))
        }
      }
    }
    return next
  }
}
