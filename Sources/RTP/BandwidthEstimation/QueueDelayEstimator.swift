import WireFormat

/// How long packets stand in the path's queue: the one-way delay less the smallest one lately.
///
/// The two clocks' offset cancels out. The trendline only sees change; this sees a queue that stands.
package struct QueueDelayEstimator: Sendable {
  /// The baseline is the smallest delay of this many whole seconds.
  private static let bucketCount = 20
  private static let bucketLength = Interval.seconds(1)

  private var buckets: [Interval] = []
  private var next = 0
  private var bucketStart: Instant?
  private var fastest: Interval?
  /// Bits per second; nil: unknown.
  private var linkRate: Double?

  /// The newest batch's smallest delay over the baseline. Jitter and a sender's own bursts hardly show in it,
  /// because of each batch only the fastest packet counts.
  package private(set) var delay = Interval.zero

  package init() {
    buckets.reserveCapacity(QueueDelayEstimator.bucketCount)
  }

  /// What the path's slowest link carries, as far as known. A long packet takes longer over it than a short
  /// one, which is no queue; at 300 kbit/s that is 30 ms.
  package mutating func setLinkRate(_ rate: Double) {
    // On a link that has become faster, what was taken off the last delays was too much.
    if let linkRate, rate > 1.1 * linkRate { buckets.removeAll(keepingCapacity: true) }
    linkRate = max(rate, 10_000)
    if buckets.isEmpty { next = 0 }
  }

  package mutating func add(sentAt: Instant, receivedAt: Instant, bytes: Int) {
    var delay = receivedAt - sentAt
    if let linkRate { delay -= .seconds(Double(bytes) * 8 / linkRate) }
    fastest = fastest.map { min($0, delay) } ?? delay
  }

  /// Ends a batch of feedback.
  package mutating func endBatch(at now: Instant) {
    guard let minimum = fastest else { return }
    fastest = nil
    if let start = bucketStart, now - start < QueueDelayEstimator.bucketLength, !buckets.isEmpty {
      let newest = (next + buckets.count - 1) % buckets.count
      buckets[newest] = min(buckets[newest], minimum)
    } else {
      bucketStart = now
      if buckets.count < QueueDelayEstimator.bucketCount {
        buckets.append(minimum)
      } else {
        buckets[next] = minimum
        next = (next + 1) % buckets.count
      }
    }
    delay = minimum - (buckets.min() ?? minimum)
  }

  /// Takes the present delay for the path's own: it did not shrink although the sender gave way.
  package mutating func rebase() {
    let baseline = (buckets.min() ?? .zero) + delay
    buckets.removeAll(keepingCapacity: true)
    next = 0
    buckets.append(baseline)
    delay = .zero
  }
}
