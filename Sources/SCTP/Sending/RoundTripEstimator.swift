import WireFormat

/// Smoothed round-trip time and retransmission timeout (RFC 9260 section 6.3.1), and the minimum of the last
/// 10 to 20 s, which is the path without its queues.
struct RoundTripEstimator {
  private let minimumMargin: Interval
  private let maximumRTO: Interval
  private(set) var smoothed: Interval?
  private(set) var variation: Interval = .zero
  private(set) var latest: Interval = .zero
  /// The timeout with its back-off.
  private(set) var timeout: Interval
  private var currentMinimum: Interval?
  private var previousMinimum: Interval?
  private var windowStart = Instant.origin

  private static let window: Interval = .seconds(Int64(10))

  init(configuration: SCTPConfiguration) {
    minimumMargin = configuration.minimumRTOMargin
    maximumRTO = configuration.maximumRTO
    timeout = configuration.initialRTO
  }

  var minimum: Interval? {
    guard let currentMinimum else { return previousMinimum }
    return min(currentMinimum, previousMinimum ?? currentMinimum)
  }

  mutating func add(_ sample: Interval, at now: Instant) {
    let sample = max(sample, .microseconds(1))
    latest = sample
    if let old = smoothed {
      let error = old > sample ? old - sample : sample - old
      variation = variation * Int64(3) / 4 + error / 4
      smoothed = old * Int64(7) / 8 + sample / 8
    } else {
      smoothed = sample
      variation = sample / 2
    }
    if now - windowStart > Self.window {
      previousMinimum = currentMinimum
      currentMinimum = nil
      windowStart = now
    }
    currentMinimum = min(currentMinimum ?? sample, sample)
    settle()
  }

  /// Takes the back-off away: the path answers.
  mutating func settle() {
    guard let smoothed else { return }
    timeout = min(maximumRTO, smoothed + max(variation * Int64(4), minimumMargin))
  }

  mutating func backOff() {
    timeout = min(maximumRTO, timeout + timeout)
  }
}
