/// The limits that a bandwidth estimate is held to, in bits per second.
package struct BitrateBounds: Hashable, Sendable {
  package var minimum: Int
  /// Where a new estimate begins, and where a running one is set to when this is given again.
  package var start: Int
  package var maximum: Int

  /// Holds the numbers to `1000 ≤ minimum ≤ start ≤ maximum ≤ 10^9`.
  package init(minimum: Int = 30_000, start: Int = 500_000, maximum: Int = 50_000_000) {
    self.minimum = min(max(1000, minimum), 1_000_000_000)
    self.maximum = min(max(self.minimum, maximum), 1_000_000_000)
    self.start = min(max(self.minimum, start), self.maximum)
  }

  package func clamp(_ rate: Double) -> Double {
    guard rate.isFinite else { return Double(minimum) }
    return min(max(rate, Double(minimum)), Double(maximum))
  }
}
