import WireFormat

/// All that is read from when packets left and came in: the queue's trend and length, and the rate at which
/// they arrived.
package struct DelayObserver: Sendable {
  /// A queue that stands this long is overuse, even one that no longer grows.
  private static let standing = Interval.milliseconds(55)

  /// A trend without a queue is noise.
  private static let shortest = Interval.milliseconds(10)
  /// A probe makes a queue of its own, which goes by itself: until then only a longer one counts.
  private static let shortestAfterProbe = Interval.milliseconds(35)
  private static let probeWake = Interval.milliseconds(300)

  private var interArrival = InterArrival()
  private var trendline = TrendlineEstimator()
  private var detector = OveruseDetector()
  private var queue = QueueDelayEstimator()
  private var acknowledged = AcknowledgedBitrateEstimator()
  private var lastProbe: Instant?
  /// Bits, averaged.
  package private(set) var averagePacketBits = 8000.0

  package init() {}

  package mutating func add(_ packet: PacketFeedback, receivedAt: Instant, at now: Instant) {
    let sentAt = packet.sentAt
    if packet.probeCluster != nil { lastProbe = now }
    averagePacketBits += (Double(packet.size) * 8 - averagePacketBits) * 0.02
    acknowledged.add(receivedAt: receivedAt, bytes: packet.size)
    queue.add(sentAt: sentAt, receivedAt: receivedAt, bytes: packet.size)
    if let delta = interArrival.add(sentAt: sentAt, receivedAt: receivedAt) {
      trendline.add(delta)
      detector.update(slope: trendline.slope, deltaCount: trendline.deltaCount, delta: delta)
    }
  }

  /// What the path has been seen to carry, bits per second.
  package mutating func setLinkRate(_ rate: Double) {
    queue.setLinkRate(rate)
  }

  package mutating func endBatch(at now: Instant) {
    queue.endBatch(at: now)
    usage = judge(at: now)
  }

  private func judge(at now: Instant) -> BandwidthUsage {
    let isAfterProbe = lastProbe.map { now - $0 < DelayObserver.probeWake } ?? false
    let shortest = isAfterProbe ? DelayObserver.shortestAfterProbe : DelayObserver.shortest
    switch detector.usage {
    case .overusing where queueDelay < shortest: return .normal
    case .normal where queueDelay > DelayObserver.standing: return .overusing
    default: return detector.usage
    }
  }

  package private(set) var usage = BandwidthUsage.normal

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
