import WireFormat

/// A ceiling from lost packets, for paths that drop before their queue shows (short buffers, policers).
///
/// Loss that does not come from the sender's own rate (radio) is learnt while the delay is calm and no longer
/// counts: a steady 2 % never lowers the rate.
package struct LossBasedController: Sendable {
  private static let window = Interval.milliseconds(1000)
  private static let fewestPackets = 40
  private static let longestWindow = Interval.seconds(3)
  /// Loss beyond what the path always has: below this the ceiling may rise.
  private static let tolerated = 0.02
  /// Above this it falls.
  private static let excessive = 0.06
  /// The most that is believed to be the path's own.
  private static let inherentLimit = 0.08
  private static let learning = 0.15

  /// Bits per second; nil: loss sets no limit.
  package private(set) var ceiling: Double?
  /// The share of packets that the path loses whatever the rate is.
  package private(set) var inherentLoss = 0.0
  /// The newest window's share.
  package private(set) var lossRatio = 0.0

  private var received = 0
  private var lost = 0
  private var windowStart: Instant?

  package init() {}

  package mutating func add(_ packet: PacketFeedback) {
    if packet.receivedAt == nil {
      lost += 1
    } else {
      received += 1
      if packet.correctsLoss { lost = max(0, lost - 1) }
    }
  }

  /// Ends a batch of feedback.
  ///
  /// - Parameters:
  ///   - rate: the present target.
  ///   - isCalm: neither queue nor overuse.
  package mutating func endBatch(rate: Double, acknowledged: Double?, isCalm: Bool, at now: Instant) {
    let start = windowStart ?? now
    windowStart = start
    let total = received + lost
    let isLong = now - start >= LossBasedController.window && total >= LossBasedController.fewestPackets
    guard isLong || now - start >= LossBasedController.longestWindow else { return }
    windowStart = now
    defer {
      received = 0
      lost = 0
    }
    guard total >= 10 else { return }
    lossRatio = Double(lost) / Double(total)
    judge(rate: rate, acknowledged: acknowledged)
    if isCalm, ceiling == nil || lossRatio < inherentLoss + LossBasedController.excessive {
      inherentLoss += LossBasedController.learning * (lossRatio - inherentLoss)
      inherentLoss = min(inherentLoss, LossBasedController.inherentLimit)
    }
  }

  package mutating func reset() {
    self = LossBasedController()
  }

  private mutating func judge(rate: Double, acknowledged: Double?) {
    // Of few packets even a steady path loses now and then many: two standard deviations do not count.
    let share = max(inherentLoss, 0.02)
    let excess = lossRatio - inherentLoss - 2 * (share * (1 - share) / Double(received + lost)).squareRoot()
    if excess > LossBasedController.excessive {
      let base = min(rate, acknowledged.map { $0 / max(0.1, 1 - lossRatio) } ?? rate)
      ceiling = min(ceiling ?? .infinity, max(base * (1 - 0.5 * excess), base * 0.5))
    } else if excess < LossBasedController.tolerated, let present = ceiling {
      // Quicker than the delay's growth: this is only a brake.
      let raised = present * 1.15
      ceiling = raised > rate * 1.3 ? nil : raised
    }
  }
}
