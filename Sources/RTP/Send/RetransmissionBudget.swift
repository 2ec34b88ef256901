import WireFormat

/// Holds what is sent again to a share of the target rate, so that a peer that asks for everything cannot
/// starve new frames.
package struct RetransmissionBudget: Sendable {
  private static let share = 0.5
  /// A burst loss after a quiet time may use this much at once.
  private static let depth = Interval.milliseconds(500)
  /// At the lowest rates a few packets always fit.
  private static let floor = 12_000.0

  private var available: Double
  private var lastUpdate: Instant?
  private var bytesPerSecond = 0.0

  package init() {
    available = RetransmissionBudget.floor
  }

  package mutating func setRate(_ bitsPerSecond: Int, at now: Instant) {
    settle(at: now)
    bytesPerSecond = Double(max(0, bitsPerSecond)) / 8 * RetransmissionBudget.share
  }

  /// Whether `bytes` may be sent again now; if so they are counted.
  package mutating func take(_ bytes: Int, at now: Instant) -> Bool {
    settle(at: now)
    guard available >= Double(bytes) else { return false }
    available -= Double(bytes)
    return true
  }

  private mutating func settle(at now: Instant) {
    let elapsed = max(0, (now - (lastUpdate ?? now)).inSeconds)
    lastUpdate = now
    let limit = max(bytesPerSecond * RetransmissionBudget.depth.inSeconds, RetransmissionBudget.floor)
    available = min(limit, available + elapsed * bytesPerSecond)
  }
}
