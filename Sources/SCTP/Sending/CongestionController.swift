import WireFormat

/// How much may be in flight (RFC 9260 section 7.2, with a loss response that asks whether a queue built up).
///
/// RFC 9260 halves the window at each loss. On a path that loses 1 % at random over 100 ms that caps an
/// association at about 1 Mbit/s, whatever the path carries. Here the answer to a loss is the measured
/// delivery rate times the round trip without queues (the idea of TCP Westwood+ and BBR): where losses come
/// from a full queue, the window falls below what fills the pipe, so the queue drains; where they are random,
/// the window hardly moves. Losses under 2 % of a round without a growing queue are not taken for congestion
/// at all (BBR's threshold). Slow start ends when the round trip grows (RFC 9406) rather than by overflow.
struct CongestionController {
  private let mtu: Int
  private let initialWindow: Int
  private(set) var window: Int
  private(set) var threshold = Int.max

  /// The best delivery rate of each of the last rounds, in bytes a second.
  private var rates = [Double](repeating: 0, count: 8)
  private var rateIndex = 0
  private var roundEnd: UInt64 = 0
  private var roundMinimum: Interval?
  private var roundSamples = 0
  private var lostPackets = 0
  private var lostBytes = 0
  private var reducedThisRound = false
  /// Rounds in a row without a queue and without losses that count.
  private var cleanRounds = 0
  private(set) var isQueueBuilding = false
  /// What the last reduction took, and the losses behind it that have not proved to be reordering.
  private var undo: (window: Int, threshold: Int, packets: Int)?

  static let maximumWindow = 16 * 1024 * 1024
  private static let tolerated = 0.02

  init(mtu: Int, initialPackets: Int) {
    self.mtu = mtu
    initialWindow = mtu * max(2, initialPackets)
    window = initialWindow
  }

  var isInSlowStart: Bool { window < threshold }

  /// Bytes a second, over the last eight rounds; nil before the first sample.
  var deliveryRate: Double? {
    let best = rates.max() ?? 0
    return best > 0 ? best : nil
  }

  /// A SACK acknowledged `bytes` anew.
  ///
  /// - Parameters:
  ///   - wasLimited: whether the window, not the application, was what held sending back.
  ///   - sample: what the SACK tells about rate and rounds; nil when it had none.
  mutating func acknowledged(
    _ bytes: Int, wasLimited: Bool, sample: DeliverySample?, roundTrip: RoundTripEstimator
  ) {
    if let sample { take(sample, roundTrip: roundTrip) }
    guard wasLimited, bytes > 0 else { return }
    if isInSlowStart {
      window += bytes
    } else {
      let additive = max(1, bytes * mtu / window)
      window += isQueueBuilding ? additive : max(additive, bytes &>> growthShift)
    }
    window = min(window, Self.maximumWindow)
  }

  private mutating func take(_ sample: DeliverySample, roundTrip: RoundTripEstimator) {
    if sample.sentAfterDelivering >= roundEnd { beginRound(sample, minimum: roundTrip.minimum) }
    if let rate = sample.rate, !sample.isApplicationLimited || rate > (deliveryRate ?? 0) {
      rates[rateIndex] = max(rates[rateIndex], rate)
    }
    guard let measured = sample.roundTrip else { return }
    roundMinimum = min(roundMinimum ?? measured, measured)
    roundSamples += 1
    guard isInSlowStart, roundSamples >= 8, let shortest = roundMinimum, let base = roundTrip.minimum,
      shortest > base + Self.queueAllowance(base)
    else { return }
    threshold = window
    isQueueBuilding = true
  }

  /// Without a queue the window grows by a sixteenth a round, and by twice as much after each two clean
  /// rounds: what one bad moment took away is found again in seconds, not minutes.
  private var growthShift: Int { max(1, 4 - cleanRounds / 2) }

  /// How much longer than the shortest a round trip may be before it counts as a queue: RFC 9406's clamp.
  private static func queueAllowance(_ base: Interval) -> Interval {
    min(.milliseconds(Int64(16)), max(.milliseconds(Int64(4)), base / 8))
  }

  private mutating func beginRound(_ sample: DeliverySample, minimum base: Interval?) {
    roundEnd = sample.delivered
    if let shortest = roundMinimum, let base {
      isQueueBuilding = shortest > base + Self.queueAllowance(base)
    }
    if !sample.isApplicationLimited {
      rateIndex = (rateIndex + 1) % rates.count
      rates[rateIndex] = 0
    }
    cleanRounds = isQueueBuilding || reducedThisRound ? 0 : min(cleanRounds + 1, 6)
    roundMinimum = nil
    roundSamples = 0
    lostPackets = 0
    lostBytes = 0
    reducedThisRound = false
  }

  /// `packets` chunks of `bytes` in all were found lost.
  mutating func lost(packets: Int, bytes: Int, roundTrip: RoundTripEstimator) {
    lostPackets += packets
    lostBytes += bytes
    undo?.packets += packets
    guard !reducedThisRound else { return }
    let share = Double(lostBytes) / Double(max(window, 1))
    if !isQueueBuilding, lostPackets < 4 || share <= Self.tolerated { return }
    reducedThisRound = true
    cleanRounds = 0
    undo = (window, threshold, lostPackets)
    let floor = 4 * mtu
    guard let pipe = pipe(roundTrip) else {
      window = max(floor, window / 2)
      threshold = window
      return
    }
    let target = pipe * (isQueueBuilding ? 0.85 : 1.15)
    window = max(floor, min(window, Int(min(target, Double(Self.maximumWindow)))))
    threshold = window
  }

  /// `packets` chunks that were found lost had arrived all the same: reordering, not loss. Once hardly any of
  /// the losses behind the last reduction stands, it is taken back (the idea of RFC 4015).
  mutating func provedSpurious(packets: Int) {
    guard packets > 0, let last = undo else { return }
    let standing = last.packets - packets
    undo?.packets = standing
    guard standing < 4 else { return }
    window = max(window, last.window)
    threshold = max(threshold, last.threshold)
    undo = nil
    reducedThisRound = false
    lostPackets = max(0, standing)
  }

  /// The retransmission timer ran out: everything in flight is lost, or the path is gone.
  mutating func timedOut(roundTrip: RoundTripEstimator) {
    // A second timeout in a row must not take the collapsed window for what the path carries.
    let reference = threshold == .max ? window : max(window, threshold)
    let pipe = pipe(roundTrip).map { Int(min($0, Double(Self.maximumWindow))) } ?? reference / 2
    threshold = max(4 * mtu, min(reference, pipe))
    cleanRounds = 0
    window = mtu
    undo = nil
  }

  /// Nothing was sent for `idle`: what the window knew has aged (RFC 9260 section 7.2.1).
  mutating func idled(for idle: Interval, timeout: Interval) {
    var rest = idle
    while rest > timeout, window > initialWindow {
      threshold = max(threshold == .max ? window : threshold, window * 3 / 4)
      window = max(initialWindow, window / 2)
      rest -= timeout
    }
  }

  private func pipe(_ roundTrip: RoundTripEstimator) -> Double? {
    guard let deliveryRate, let minimum = roundTrip.minimum else { return nil }
    return deliveryRate * minimum.inSeconds
  }
}

/// What one SACK tells about the path.
struct DeliverySample {
  /// All bytes delivered so far.
  var delivered: UInt64
  /// What had been delivered when the newest acknowledged chunk was sent.
  var sentAfterDelivering: UInt64
  /// Bytes a second; nil when the interval is too short to tell.
  var rate: Double?
  /// From a chunk that was sent once; nil when there was none.
  var roundTrip: Interval?
  /// Whether there was nothing more to send at the time.
  var isApplicationLimited: Bool
}
