import WireFormat

/// The rate where the peer sends no transport-wide feedback: receiver reports' loss, and REMB as a ceiling.
package struct ReportRateController: Sendable {
  private static let growthPerSecond = 0.08
  private static let startPhase = Interval.seconds(2)
  private static let low = 0.02
  private static let high = 0.1

  /// Bits per second.
  package private(set) var rate: Double
  /// What REMB allows; nil: none came.
  package private(set) var receiverEstimate: Double?
  private var firstReport: Instant?
  private var lastIncrease: Instant?
  private var lastDecrease: Instant?
  private var hasSeenLoss = false

  package init(rate: Double) {
    self.rate = rate
  }

  package mutating func set(_ rate: Double) { self.rate = rate }

  package mutating func handle(fractionLost: Double, roundTripTime: Interval, at now: Instant) {
    let started = firstReport ?? now
    firstReport = started
    let loss = min(max(fractionLost, 0), 1)
    if loss > ReportRateController.low { hasSeenLoss = true }
    if loss < ReportRateController.low {
      let elapsed = min((now - (lastIncrease ?? now)).inSeconds, 5)
      lastIncrease = now
      rate += rate * ReportRateController.growthPerSecond * max(0, elapsed) + 1000
    } else {
      lastIncrease = now
      let wait = Interval.milliseconds(300) + roundTripTime
      if loss > ReportRateController.high, now - (lastDecrease ?? .origin) >= wait {
        lastDecrease = now
        rate *= 1 - 0.5 * loss
      }
    }
    limit()
  }

  package mutating func handle(receiverEstimate estimate: Double, at now: Instant) {
    let started = firstReport ?? now
    firstReport = started
    receiverEstimate = estimate
    // At the start the receiver knows better than a start value.
    if !hasSeenLoss, now - started < ReportRateController.startPhase { rate = max(rate, estimate) }
    limit()
  }

  private mutating func limit() {
    if let receiverEstimate { rate = min(rate, receiverEstimate) }
  }
}
