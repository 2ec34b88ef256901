import WireFormat

/// Turns what the delay says into a rate: up by a share while nothing is known, by a little near the known
/// capacity, down when the queue grows.
///
/// After a decrease the rate stays below the capacity until the queue has drained, and then goes straight
/// back to just below the capacity that the overuse has measured, instead of creeping up to it.
package struct RateController: Sendable {
  private enum Phase: Hashable {
    case increase
    /// Below the capacity, until the queue is gone.
    case drain(Drain)
  }

  private struct Drain: Hashable {
    /// The longest delay since the overuse, and when it was.
    var peak: Interval
    var peakAt: Instant
    var rateBefore: Double
  }

  /// The share of the acknowledged rate that is kept on overuse.
  private static let backOff = 0.87
  /// The share of the measured capacity that is gone back to once the queue is empty.
  private static let restored = 0.935
  /// A standing queue below this is drained.
  package static let drained = Interval.milliseconds(12)
  private static let leftover = Interval.milliseconds(40)
  private static let growthPerSecond = 0.08
  /// By then giving way has to show in the delay, if it is a queue.
  private static let patience = Interval.milliseconds(1200)
  /// Above this queue the rate does not grow.
  private static let growthQueue = Interval.milliseconds(20)

  /// Bits per second.
  package private(set) var rate: Double
  package private(set) var capacity = LinkCapacityEstimator()
  package private(set) var lastDecrease: Instant?
  private var lastOveruseSample: Double?
  private var phase = Phase.increase
  private var lastUpdate: Instant?

  package init(rate: Double) {
    self.rate = rate
  }

  package var isDraining: Bool {
    if case .drain = phase { return true }
    return false
  }

  /// What the machine around has to do with the queue's baseline.
  package enum Outcome: Hashable, Sendable {
    case settled
    /// Giving way did not shorten the delay: it is the path's own (a route change).
    case delayIsThePaths
  }

  package mutating func update(
    usage: BandwidthUsage, acknowledged: Double?, queueDelay: Interval, roundTripTime: Interval,
    isApplicationLimited: Bool, averagePacketBits: Double, at now: Instant
  ) -> Outcome {
    let elapsed = min(max((now - (lastUpdate ?? now)).inSeconds, 0), 1)
    lastUpdate = now
    switch (usage, phase) {
    case (.overusing, .drain(let drain)) where isThePathsOwn(queueDelay, drain, at: now):
      return drainOutcome(queueDelay: queueDelay, at: now)
    case (.overusing, _):
      decrease(acknowledged: acknowledged, queueDelay: queueDelay, roundTripTime: roundTripTime, at: now)
    case (.underusing, _):
      // The queue drains: whatever the rate is now, it is right for that.
      return drainOutcome(queueDelay: queueDelay, at: now)
    case (.normal, .drain):
      return drainOutcome(queueDelay: queueDelay, at: now)
    case (.normal, .increase):
      increase(
        by: elapsed, acknowledged: acknowledged, queueDelay: queueDelay, roundTripTime: roundTripTime,
        isApplicationLimited: isApplicationLimited, averagePacketBits: averagePacketBits)
    }
    return .settled
  }

  /// Takes a rate from elsewhere: a probe, new bounds, silence.
  package mutating func set(_ rate: Double) {
    self.rate = rate
  }

  /// What a probe has seen of the path.
  package mutating func handle(probe: ProbeResult) {
    if probe.isSaturated {
      capacity.add(probe.bitrate)
    } else if probe.bitrate > capacity.upperBound {
      capacity.forget()
    }
    guard !isDraining else { return }
    rate = max(rate, probe.usableBitrate)
  }

  private mutating func decrease(
    acknowledged: Double?, queueDelay: Interval, roundTripTime: Interval, at now: Instant
  ) {
    if let last = lastDecrease {
      // One reaction has to come back as feedback before the next is due.
      let wait =
        min(roundTripTime, .milliseconds(300)) + .milliseconds(100) + min(queueDelay, .milliseconds(200))
      guard now - last >= wait || (acknowledged ?? rate) < rate / 2 else {
        watch(queueDelay, at: now)
        return
      }
    }
    let sample = acknowledged ?? rate
    if sample <= rate * 1.2 { capacity.add(sample) }
    lastOveruseSample = sample
    // A long queue is drained within about a second, a short one gently.
    let extra = min(max(queueDelay.inSeconds - 0.05, 0), 0.4)
    let reduced = (RateController.backOff - extra) * min(sample, rate)
    if case .increase = phase { phase = .drain(Drain(peak: queueDelay, peakAt: now, rateBefore: rate)) }
    watch(queueDelay, at: now)
    rate = min(rate, reduced)
    lastDecrease = now
  }

  private mutating func watch(_ queueDelay: Interval, at now: Instant) {
    guard case .drain(var drain) = phase, queueDelay > drain.peak * 1.1 else { return }
    drain.peak = queueDelay
    drain.peakAt = now
    phase = .drain(drain)
  }

  private mutating func drainOutcome(queueDelay: Interval, at now: Instant) -> Outcome {
    guard case .drain(let drain) = phase else { return .settled }
    // By arithmetic too: what is left of a delay then is packets' own length.
    let needed = drain.peak * (1 / (1 - RateController.backOff)) + .milliseconds(200)
    let isOver = queueDelay < RateController.leftover && now - drain.peakAt > needed
    if queueDelay < RateController.drained || isOver {
      phase = .increase
      if let known = capacity.estimate {
        rate = max(rate, RateController.restored * min(known, lastOveruseSample ?? known))
      }
      return .settled
    }
    guard isThePathsOwn(queueDelay, drain, at: now) else { return .settled }
    phase = .increase
    rate = max(rate, 0.9 * drain.rateBefore)
    return .delayIsThePaths
  }

  /// A queue shrinks by at least what the rate stays below the capacity; a longer path does not.
  private func isThePathsOwn(_ queueDelay: Interval, _ drain: Drain, at now: Instant) -> Bool {
    let elapsed = now - drain.peakAt
    guard elapsed > RateController.patience else { return false }
    let expected = min(drain.peak, elapsed * (1 - RateController.backOff))
    return drain.peak - queueDelay < expected * 0.25
  }

  private mutating func increase(
    by elapsed: Double, acknowledged: Double?, queueDelay: Interval, roundTripTime: Interval,
    isApplicationLimited: Bool, averagePacketBits: Double
  ) {
    // A rate that is not used proves nothing: it may stay, but does not grow on its own.
    guard !isApplicationLimited else { return }
    let ceiling = acknowledged.map { $0 * 1.5 + 10_000 } ?? .infinity
    guard rate < ceiling, queueDelay < RateController.growthQueue else { return }
    if rate > capacity.upperBound { capacity.forget() }
    let grown: Double
    if capacity.estimate != nil, rate >= capacity.lowerBound * 0.9 {
      let response = max(roundTripTime.inSeconds, 0.01) + 0.1
      let share = rate * 0.02
      grown = rate + max(4000, min(averagePacketBits / response, share)) * elapsed
    } else {
      grown = rate * (1 + RateController.growthPerSecond * elapsed) + 1000 * elapsed
    }
    rate = min(grown, ceiling)
  }
}
