import WireFormat

/// The slope of the one-way delay over the last groups: above 0 while a queue grows, below while it drains.
///
/// A least-squares line through the smoothed, accumulated delay variations.
package struct TrendlineEstimator: Sendable {
  package static let windowSize = 20
  private static let smoothing = 0.9

  private var times: [Double] = []
  private var delays: [Double] = []
  private var next = 0
  private var firstReceivedAt: Instant?
  private var accumulatedDelay = 0.0
  private var smoothedDelay = 0.0
  /// How many deltas went in, up to ``deltaLimit``.
  package private(set) var deltaCount = 0
  package static let deltaLimit = 60

  /// Milliseconds of delay a millisecond.
  package private(set) var slope = 0.0

  package init() {
    times.reserveCapacity(TrendlineEstimator.windowSize)
    delays.reserveCapacity(TrendlineEstimator.windowSize)
  }

  package mutating func add(_ delta: GroupDelta) {
    let origin = firstReceivedAt ?? delta.receivedAt
    firstReceivedAt = origin
    deltaCount = min(deltaCount + 1, TrendlineEstimator.deltaLimit)
    accumulatedDelay += delta.delayVariation.inMilliseconds
    smoothedDelay =
      TrendlineEstimator.smoothing * smoothedDelay
      + (1 - TrendlineEstimator.smoothing) * accumulatedDelay
    store(time: (delta.receivedAt - origin).inMilliseconds, delay: smoothedDelay)
    if times.count == TrendlineEstimator.windowSize { fit() }
  }

  private mutating func store(time: Double, delay: Double) {
    if times.count < TrendlineEstimator.windowSize {
      times.append(time)
      delays.append(delay)
    } else {
      times[next] = time
      delays[next] = delay
      next = (next + 1) % TrendlineEstimator.windowSize
    }
  }

  private mutating func fit() {
    let count = Double(times.count)
    let meanTime = times.reduce(0, +) / count
    let meanDelay = delays.reduce(0, +) / count
    var numerator = 0.0
    var denominator = 0.0
    for index in times.indices {
      let time = times[index] - meanTime
      numerator += time * (delays[index] - meanDelay)
      denominator += time * time
    }
    if denominator > 0 { slope = numerator / denominator }
  }
}
