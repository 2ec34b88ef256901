import WireFormat

/// All that is read from when packets left and came in: the queue's trend and length, and the rate at which
/// they arrived.
package struct DelayObserver: Sendable {
  /// A queue that stands this long is overuse, even one that no longer grows.
  private static let standing = Interval.milliseconds(70)

  private var interArrival = InterArrival()
  private var trendline = TrendlineEstimator()
  private var detector = OveruseDetector()
  private var queue = QueueDelayEstimator()
  private var acknowledged = AcknowledgedBitrateEstimator()
  /// Bits, averaged.
  package private(set) var averagePacketBits = 8000.0

  package init() {}

  package mutating func add(sentAt: Instant, receivedAt: Instant, bytes: Int) {
    averagePacketBits += (Double(bytes) * 8 - averagePacketBits) * 0.02
    acknowledged.add(receivedAt: receivedAt, bytes: bytes)
    queue.add(sentAt: sentAt, receivedAt: receivedAt)
    if let delta = interArrival.add(sentAt: sentAt, receivedAt: receivedAt) {
      trendline.add(delta)
      detector.update(slope: trendline.slope, deltaCount: trendline.deltaCount, delta: delta)
    }
  }

  package mutating func endBatch(at now: Instant) {
    queue.endBatch(at: now)
  }

  package var usage: BandwidthUsage {
    queueDelay > DelayObserver.standing && detector.usage == .normal ? .overusing : detector.usage
  }

  package var queueDelay: Interval { queue.delay }

  /// Bits per second. While the queue grows only the newest span counts: before it the path was another.
  package var acknowledgedBitrate: Double? {
    guard usage == .overusing else { return acknowledged.bitrate }
    return acknowledged.bitrate(overLast: .milliseconds(250)) ?? acknowledged.bitrate
  }

  /// The present delay is the path's own.
  package mutating func rebase() {
    queue.rebase()
  }
}
