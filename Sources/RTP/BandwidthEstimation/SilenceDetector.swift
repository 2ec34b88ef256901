import WireFormat

/// Notices that packets leave and no feedback comes back.
package struct SilenceDetector: Sendable {
  private static let patience = Interval.seconds(1)
  private static let reportPatience = Interval.seconds(12)
  private static let step = Interval.milliseconds(500)

  /// When the oldest packet left that no feedback has followed.
  private var unansweredSince: Instant?
  private var nextStep: Instant?
  /// Whether the peer is silent at present.
  package private(set) var isSilent = false

  package init() {}

  package mutating func handleSent(at now: Instant, expectsTransportFeedback: Bool) {
    guard unansweredSince == nil else { return }
    unansweredSince = now
    // Reports may be 5 s apart (RFC 3550 section 6.2); two may be lost.
    nextStep = now + (expectsTransportFeedback ? SilenceDetector.patience : SilenceDetector.reportPatience)
  }

  /// Returns whether this ends a silence.
  package mutating func handleFeedback() -> Bool {
    defer { isSilent = false }
    unansweredSince = nil
    nextStep = nil
    return isSilent
  }

  package func nextTimeout() -> Instant? { nextStep }

  /// Whether the rate is due to be lowered by a further step.
  package mutating func handleTimeout(at now: Instant) -> Bool {
    guard let due = nextStep, now >= due else { return false }
    isSilent = true
    nextStep = now + SilenceDetector.step
    return true
  }
}
