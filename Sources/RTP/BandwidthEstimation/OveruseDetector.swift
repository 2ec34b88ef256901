import WireFormat

/// What the delay says of the path's load.
package enum BandwidthUsage: Hashable, Sendable {
  case normal
  /// The queue grows.
  case overusing
  /// The queue drains.
  case underusing
}

/// Compares the delay's trend with a threshold that adapts: it rises slowly under a trend that will not go
/// away (a competing flow that fills the queue must not starve this one) and falls back slowly.
package struct OveruseDetector: Sendable {
  private static let gain = 4.0
  private static let rising = 0.0087
  private static let falling = 0.039
  private static let limits = 6.0...600.0
  /// A trend this far over the threshold is an outlier (a route change) that must not move it.
  private static let outlier = 15.0
  /// A trend has to stay over the threshold for this long, milliseconds.
  private static let patience = 10.0

  package private(set) var usage = BandwidthUsage.normal
  package private(set) var threshold = 12.5
  private var timeOverThreshold = 0.0
  private var groupsOverThreshold = 0
  private var previousTrend = 0.0
  private var lastUpdate: Instant?

  package init() {}

  /// - Parameters:
  ///   - slope: from the trendline.
  ///   - deltaCount: how many deltas the trendline has seen; few of them weigh less.
  ///   - delta: the newest one.
  package mutating func update(slope: Double, deltaCount: Int, delta: GroupDelta) {
    let trend = Double(deltaCount) * slope * OveruseDetector.gain
    if trend > threshold {
      timeOverThreshold +=
        groupsOverThreshold == 0 ? delta.sent.inMilliseconds / 2 : delta.sent.inMilliseconds
      groupsOverThreshold += 1
      if timeOverThreshold > OveruseDetector.patience, groupsOverThreshold > 1, trend >= previousTrend {
        timeOverThreshold = 0
        groupsOverThreshold = 0
        usage = .overusing
      }
    } else {
      timeOverThreshold = 0
      groupsOverThreshold = 0
      usage = trend < -threshold ? .underusing : .normal
    }
    previousTrend = trend
    adapt(to: trend, at: delta.receivedAt)
  }

  private mutating func adapt(to trend: Double, at now: Instant) {
    let elapsed = min((now - (lastUpdate ?? now)).inMilliseconds, 100)
    lastUpdate = now
    guard abs(trend) <= threshold + OveruseDetector.outlier else { return }
    let factor = abs(trend) < threshold ? OveruseDetector.falling : OveruseDetector.rising
    threshold += factor * (abs(trend) - threshold) * max(0, elapsed)
    threshold = min(max(threshold, OveruseDetector.limits.lowerBound), OveruseDetector.limits.upperBound)
  }
}
