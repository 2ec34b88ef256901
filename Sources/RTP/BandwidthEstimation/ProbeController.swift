import WireFormat

/// Decides when to probe and how high.
///
/// At the start at 3 and 6 times the start rate, then on as long as the path carries it; later from time to
/// time, because a rate that is not exceeded can never show that the path has become faster.
package struct ProbeController: Sendable {
  /// What the estimator knows when it asks.
  package struct Conditions: Sendable {
    /// Bits per second.
    package var rate: Double
    /// No probe goes above this.
    package var ceiling: Double
    /// More than this nobody wants; only what is found by the way lies above it, and shortens bursts.
    package var demand: Double
    package var isApplicationLimited: Bool
    /// No queue, no overuse.
    package var isCalm: Bool
  }

  private static let initialFactors = [3.0, 6.0]
  private static let growthFactor = 2.0
  /// A probe that brought this share of what it tried is followed by a further one.
  private static let further = 0.7
  private static let growthInterval = Interval.milliseconds(1500)
  private static let longestGrowthInterval = Interval.seconds(16)
  private static let limitedInterval = Interval.seconds(5)
  /// After an overuse the queue has to drain before a probe can tell anything.
  private static let settling = Interval.milliseconds(500)
  private static let soon = Interval.milliseconds(600)
  private static let postponed = Interval.milliseconds(200)
  private static let resultPatience = Interval.seconds(1)
  /// Overuse this soon after a jump, with much less arriving than the probe promised, shows that the probe
  /// was misleading (a path that bunches packets).
  private static let regret = Interval.milliseconds(1500)
  private static let kept = 0.75
  private static let trainLength = Interval.milliseconds(15)
  /// Below 1 Mbit/s, where 15 ms are hardly two packets.
  private static let slowTrainLength = Interval.milliseconds(18)
  private static let pendingLimit = 4

  private var pending: [ProbeRequest] = []
  private var nextCluster = 1
  private var awaitedSince: Instant?
  private var nextGrowth: Instant?
  private var interval = ProbeController.growthInterval
  private var jump: (at: Instant, rate: Double)?
  package private(set) var hasStarted = false

  package init() {
    pending.reserveCapacity(ProbeController.pendingLimit)
  }

  /// The first probes, once there is something to send.
  package mutating func start(_ conditions: Conditions, at now: Instant) {
    hasStarted = true
    nextGrowth = now + interval
    for factor in ProbeController.initialFactors {
      request(factor * conditions.rate, conditions, at: now)
    }
  }

  /// One probe at `rate` out of turn: after an outage, say.
  package mutating func probe(_ rate: Double, _ conditions: Conditions, at now: Instant) {
    request(rate, conditions, at: now)
  }

  package mutating func next() -> ProbeRequest? {
    pending.isEmpty ? nil : pending.removeFirst()
  }

  /// - Parameters:
  ///   - previousRate: the rate before the result was used.
  ///   - conditions: those after it.
  package mutating func handle(
    _ result: ProbeResult, requested: Int, previousRate: Double, _ conditions: Conditions, at now: Instant
  ) {
    awaitedSince = nil
    if conditions.rate > 1.2 * previousRate { jump = (now, conditions.rate) }
    // While probes find more, the next one follows soon.
    let hasGrown = conditions.rate > 1.1 * previousRate
    nextGrowth = now + (hasGrown ? min(interval, ProbeController.soon) : interval)
    guard !result.isSaturated, result.bitrate > ProbeController.further * Double(requested),
      conditions.rate < 0.9 * conditions.ceiling
    else { return }
    request(ProbeController.growthFactor * result.bitrate, conditions, at: now)
  }

  package mutating func handleOveruse(acknowledged: Double?, roundTripTime: Interval, at now: Instant) {
    pending.removeAll(keepingCapacity: true)
    // Before that the acknowledged rate is still the one from before the jump.
    let known = roundTripTime + .milliseconds(250)
    if let last = jump, let acknowledged, now - last.at < ProbeController.regret + known,
      now - last.at > known, acknowledged < ProbeController.kept * last.rate
    {
      interval = min(interval + interval, ProbeController.longestGrowthInterval)
      jump = nil
    }
    nextGrowth = max(nextGrowth ?? now, now + ProbeController.settling)
  }

  package func nextTimeout() -> Instant? { hasStarted ? nextGrowth : nil }

  package mutating func handleTimeout(_ conditions: Conditions, at now: Instant) {
    guard hasStarted, let due = nextGrowth, now >= due else { return }
    if let last = jump, now - last.at >= ProbeController.regret {
      jump = nil
      interval = ProbeController.growthInterval
    }
    let isAwaited = awaitedSince.map { now - $0 < ProbeController.resultPatience } ?? false
    guard conditions.isCalm, !isAwaited else {
      nextGrowth = now + ProbeController.postponed
      return
    }
    nextGrowth =
      now + (conditions.isApplicationLimited ? max(interval, ProbeController.limitedInterval) : interval)
    guard conditions.rate < min(conditions.demand, conditions.ceiling) else { return }
    request(ProbeController.growthFactor * conditions.rate, conditions, at: now)
  }

  private mutating func request(_ rate: Double, _ conditions: Conditions, at now: Instant) {
    let held = min(rate, conditions.ceiling)
    guard held > conditions.rate * 1.05, pending.count < ProbeController.pendingLimit else { return }
    let length = held < 1_000_000 ? ProbeController.slowTrainLength : ProbeController.trainLength
    let bytes = held * length.inSeconds / 8
    pending.append(ProbeRequest(cluster: nextCluster, bitrate: Int(held), minimumBytes: Int(bytes)))
    nextCluster = nextCluster == .max ? 1 : nextCluster + 1
    awaitedSince = now
  }
}
