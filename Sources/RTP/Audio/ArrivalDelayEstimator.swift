import WireFormat

/// How long packets have to be held so that nearly all of them are there in time.
///
/// A packet's delay is measured against the fastest of the last two seconds, and counted in a histogram that
/// slowly forgets; the answer is its 97th percentile.
package struct ArrivalDelayEstimator: Sendable {
  private static let bucket = Interval.milliseconds(10)
  private static let bucketCount = 50
  private static let percentile = 0.97
  /// A sample's weight has halved after some 140 more: 2.8 s of 20 ms packets.
  private static let forgetting = 0.995
  private static let longest = Interval.milliseconds(500)
  private static let window = Interval.seconds(2)

  private var shares: [Double]
  private var sampleCount = 0
  private var unwrapper = SequenceUnwrapper32()
  /// Fastest transits (arrival minus media time), rising: the first is the fastest in the window.
  private var fastest: [(at: Instant, transit: Int64)] = []

  private var last: (at: Instant, transit: Int64)?

  package init() {
    shares = Array(repeating: 0, count: ArrivalDelayEstimator.bucketCount)
  }

  /// How long to hold packets: 10 ms to 500 ms.
  package var delay: Interval {
    guard sampleCount > 0 else { return .milliseconds(20) }
    var sum = 0.0
    for (index, share) in shares.enumerated() {
      sum += share
      if sum >= ArrivalDelayEstimator.percentile { return ArrivalDelayEstimator.bucket * Int64(index + 1) }
    }
    return ArrivalDelayEstimator.bucket * Int64(ArrivalDelayEstimator.bucketCount)
  }

  /// Counts a packet of a steady flow.
  package mutating func add(timestamp: UInt32, arrival: Instant) {
    let transit = transit(timestamp, arrival)
    while let last = fastest.last, last.transit >= transit { fastest.removeLast() }
    fastest.append((arrival, transit))
    while let first = fastest.first, arrival - first.at > ArrivalDelayEstimator.window, fastest.count > 1 {
      fastest.removeFirst()
    }
    defer { last = (arrival, transit) }
    // Packets that were held up together arrive together: the first of them tells how long.
    if let last, arrival - last.at < .milliseconds(5), transit < last.transit { return }
    let delay = max(0, transit &- (fastest.first?.transit ?? transit))
    // An outage is no jitter; no buffer bridges it.
    guard delay < ArrivalDelayEstimator.longest.nanoseconds else { return }
    let index = Int(
      min(
        Int64(ArrivalDelayEstimator.bucketCount - 1), delay / ArrivalDelayEstimator.bucket.nanoseconds))
    sampleCount += 1
    // The first samples weigh as in a plain mean, or the histogram would start empty.
    let keep = min(ArrivalDelayEstimator.forgetting, 1 - 1 / Double(sampleCount))
    for position in shares.indices { shares[position] *= keep }
    shares[index] += 1 - keep
  }

  /// How long a packet played at `moment` would have been held, had it come as fast as the fastest; nil when
  /// there is none to compare with.
  package func holdTime(timestamp: UInt32, playedAt moment: Instant) -> Interval? {
    guard let first = fastest.first else { return nil }
    let ticks = unwrapper.peek(timestamp)
    return .nanoseconds(moment.nanoseconds &- (ticks &* 62_500) / 3 &- first.transit)
  }

  /// The sender's clock jumped, as after a pause: earlier transits compare no more. The histogram stays.
  package mutating func restart() {
    fastest.removeAll(keepingCapacity: true)
    last = nil
  }

  private mutating func transit(_ timestamp: UInt32, _ arrival: Instant) -> Int64 {
    let ticks = unwrapper.unwrap(timestamp)
    return arrival.nanoseconds &- (ticks &* 62_500) / 3
  }
}
