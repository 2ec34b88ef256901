import WireFormat

/// Whether a valid pair still works: when it was last heard and answered, and when to ask again.
///
/// Every request asked here is a consent check too (RFC 7675): each has its own transaction and none is
/// retransmitted. A selected pair is asked each 4 to 6 s, sooner when nothing was heard for 2.5 s, and each
/// half second while an answer is missing, so that 5 s of silence mean that several requests were lost.
struct PairLiveness {
  /// Anything from the peer: an answer, a request, application data.
  var lastHeard: Instant
  /// A valid answer to a request of ours: consent.
  private(set) var lastAnswer: Instant
  private(set) var lastProbe: Instant
  private(set) var unanswered = 0
  private(set) var unansweredSince: Instant?
  private var nextConsent: Instant
  /// Since when the pair has been answering without a gap; nil after a gap until it answers again.
  private(set) var healthySince: Instant?
  private(set) var hadGap = false

  init(validAt now: Instant, timing: ICETiming, random: inout RandomSource) {
    lastHeard = now
    lastAnswer = now
    lastProbe = now
    nextConsent = now
    healthySince = now
    nextConsent = PairLiveness.consentTime(after: now, timing: timing, random: &random)
  }

  /// Two requests in a row without an answer: the pair should not carry data if another one does better.
  var isHealthy: Bool { unanswered < 2 }

  mutating func probed(at now: Instant, timing: ICETiming, random: inout RandomSource) {
    lastProbe = now
    unanswered += 1
    if unansweredSince == nil { unansweredSince = now }
    if unanswered >= 2 {
      healthySince = nil
      hadGap = true
    }
    nextConsent = PairLiveness.consentTime(after: now, timing: timing, random: &random)
  }

  mutating func answered(at now: Instant) {
    lastHeard = now
    lastAnswer = now
    unanswered = 0
    unansweredSince = nil
    if healthySince == nil { healthySince = now }
  }

  /// When to ask next, for the selected pair.
  func nextProbe(timing: ICETiming, roundTripTime: Interval?) -> Instant {
    if unanswered > 0 {
      let patience = max(timing.probeInterval, (roundTripTime ?? .zero) * 1.5)
      return lastProbe + (unanswered > 10 ? patience * Int64(2) : patience)
    }
    return min(nextConsent, lastHeard + timing.silenceProbe)
  }

  /// When to ask next, for a pair that stands by.
  func nextBackupProbe(timing: ICETiming) -> Instant {
    unanswered > 0 ? lastProbe + .seconds(1) : max(lastProbe, lastAnswer) + timing.backupInterval
  }

  private static func consentTime(
    after now: Instant, timing: ICETiming, random: inout RandomSource
  ) -> Instant {
    now + timing.consentInterval * (0.8 + 0.4 * random.unit())
  }
}
