/// What the path carried when it was full: the acknowledged rate at each overuse, averaged.
package struct LinkCapacityEstimator: Sendable {
  private static let weight = 0.2

  /// Bits per second; nil until the path has once been full, and after ``forget()``.
  package private(set) var estimate: Double?
  /// Variance, normalised by the estimate.
  private var deviation = 0.4

  package init() {}

  private var spread: Double {
    guard let estimate else { return 0 }
    return 3 * (deviation * estimate * 1000).squareRoot()
  }

  package var upperBound: Double { estimate.map { $0 + spread } ?? .infinity }
  package var lowerBound: Double { estimate.map { max(0, $0 - spread) } ?? 0 }

  /// A sample far from what is known replaces it: the path has changed.
  package mutating func add(_ sample: Double) {
    guard sample.isFinite, sample > 0 else { return }
    guard let known = estimate, sample >= lowerBound, sample <= upperBound else {
      estimate = sample
      deviation = 0.4
      return
    }
    let weight = LinkCapacityEstimator.weight
    let mean = (1 - weight) * known + weight * sample
    let error = mean - sample
    // In kbit/s, as the bounds (0.4 to 2.5) are meant.
    let normalised = error * error / (max(mean, 1000) * 1000)
    deviation = min(max((1 - weight) * deviation + weight * normalised, 0.4), 2.5)
    estimate = mean
  }

  package mutating func forget() {
    estimate = nil
    deviation = 0.4
  }
}
