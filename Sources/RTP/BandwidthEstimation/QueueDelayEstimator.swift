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
  private var batchMinimum: Interval?

  /// The newest batch's smallest delay over the baseline. Jitter and a sender's own bursts hardly show in it,
  /// because of each batch only the fastest packet counts.
  package private(set) var delay = Interval.zero

  package init() {
    buckets.reserveCapacity(QueueDelayEstimator.bucketCount)
  }

  package mutating func add(sentAt: Instant, receivedAt: Instant) {
    let delay = receivedAt - sentAt
    batchMinimum = batchMinimum.map { min($0, delay) } ?? delay
  }

  /// Ends a batch of feedback.
  package mutating func endBatch(at now: Instant) {
    guard let minimum = batchMinimum else { return }
    batchMinimum = nil
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
