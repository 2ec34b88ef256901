import WireFormat

/// Send-side congestion control in the manner of GCC (draft-ietf-rmcat-gcc-02): a delay-based rate, a ceiling
/// from loss, probes to grow; receiver reports and REMB where the peer sends no transport-wide feedback.
///
/// It departs from the draft where latency asks for it: the standing queue is measured besides its trend, an
/// overuse is answered by draining the queue and going straight back to the capacity that it has shown, and
/// loss that the path always has does not count.
package final class SendSideBandwidthEstimator: BandwidthEstimator {
  /// Bursts leave this much faster than the target, so that a large frame is not spread over its interval.
  private static let pacingFactor = 2.5
  /// Until the first report nothing is known, and the first keyframe should not wait for it. It is about what
  /// TCP's initial window sends at once (RFC 6928).
  private static let initialPacingFactor = 5.0
  /// While a queue drains a backlog must not refill it.
  private static let drainPacingFactor = 1.25
  private static let silenceFactor = 0.6
  private static let calmQueue = Interval.milliseconds(12)

  private var bounds: BitrateBounds
  private var demand = 0.0
  private var observer = DelayObserver()
  private var controller: RateController
  private var reports: ReportRateController
  private var loss = LossBasedController()
  private var probes = ProbeController()
  private var probeEstimator = ProbeEstimator()
  private var applicationLimit = ApplicationLimitDetector()
  private var silence = SilenceDetector()
  private var roundTripTime = Interval.milliseconds(100)
  private var rateBeforeSilence = 0.0

  /// Whether the peer has reported in any form.
  private var hasFeedback = false
  /// Whether the peer has sent transport-wide feedback.
  package private(set) var hasTransportFeedback = false

  package init(bounds: BitrateBounds = BitrateBounds()) {
    self.bounds = bounds
    controller = RateController(rate: Double(bounds.start))
    reports = ReportRateController(rate: Double(bounds.start))
  }

  // MARK: Results

  /// What the path is thought to carry; may lie above the bounds' maximum and what the tracks want, which
  /// lets bursts leave faster.
  package var estimate: Double {
    var rate = hasTransportFeedback || silence.isSilent ? controller.rate : reports.rate
    if let ceiling = loss.ceiling, hasTransportFeedback { rate = min(rate, ceiling) }
    if let ceiling = reports.receiverEstimate { rate = min(rate, ceiling) }
    return rate
  }

  package var targetBitrate: Int { Int(bounds.clamp(estimate)) }

  package var pacingRate: Int {
    var factor = SendSideBandwidthEstimator.pacingFactor
    if !hasFeedback { factor = SendSideBandwidthEstimator.initialPacingFactor }
    if controller.isDraining, observer.queueDelay > .milliseconds(50) {
      factor = SendSideBandwidthEstimator.drainPacingFactor
    }
    return Int(factor * min(max(estimate, Double(bounds.minimum)), 2_000_000_000))
  }

  /// How long packets stand in the path's queue, as far as feedback tells.
  package var queueDelay: Interval { observer.queueDelay }
  package var lossRatio: Double { loss.lossRatio }

  // MARK: Settings

  package func setBounds(_ bounds: BitrateBounds, restart: Bool, at now: Instant) {
    self.bounds = bounds
    if restart {
      controller.set(Double(bounds.start))
      reports.set(Double(bounds.start))
      if probes.hasStarted { probes.start(conditions, at: now) }
    }
    hold()
  }

  package func setDemand(_ bitsPerSecond: Int, at now: Instant) {
    demand = Double(min(max(0, bitsPerSecond), 1_000_000_000))
  }

  // MARK: Inputs

  package func handle(sentBytes bytes: Int, at now: Instant) {
    applicationLimit.add(bytes: bytes, at: now)
    silence.handleSent(at: now, expectsTransportFeedback: hasTransportFeedback)
    if !probes.hasStarted, demand > 0 { probes.start(conditions, at: now) }
  }

  package func handle(feedback: [PacketFeedback], at now: Instant) {
    guard !feedback.isEmpty else { return }
    hasTransportFeedback = true
    let endsSilence = handleEndOfSilence(at: now)
    if let capacity = controller.capacity.estimate { observer.setLinkRate(capacity) }
    for packet in feedback { take(packet, endsSilence: endsSilence, at: now) }
    observer.endBatch(at: now)
    applicationLimit.update(targetBitrate: Double(targetBitrate), at: now)
    updateRate(at: now)
    loss.endBatch(
      rate: controller.rate, acknowledged: observer.acknowledgedBitrate, isCalm: isCalm, at: now)
    if let ceiling = loss.ceiling, controller.rate > ceiling { controller.set(ceiling) }
    takeProbeResults(at: now)
    hold()
  }

  package func handle(fractionLost: Double, at now: Instant) {
    guard !hasTransportFeedback else { return }
    handleEndOfSilence(at: now)
    reports.handle(fractionLost: fractionLost, roundTripTime: roundTripTime, at: now)
    hold()
  }

  package func handle(receiverEstimate: Int, at now: Instant) {
    reports.handle(receiverEstimate: max(Double(bounds.minimum), Double(receiverEstimate)), at: now)
    if !hasTransportFeedback { handleEndOfSilence(at: now) }
    hold()
  }

  package func handle(roundTripTime: Interval, at now: Instant) {
    guard roundTripTime > .zero else { return }
    self.roundTripTime = min(roundTripTime, .seconds(2))
  }

  package func nextProbe() -> ProbeRequest? {
    guard let probe = probes.next() else { return nil }
    probeEstimator.expect(probe)
    return probe
  }

  package func nextTimeout() -> Instant? {
    // Without transport-wide feedback no probe could be judged.
    .earliest(hasTransportFeedback ? probes.nextTimeout() : nil, silence.nextTimeout())
  }

  package func handleTimeout(at now: Instant) {
    if hasTransportFeedback { probes.handleTimeout(conditions, at: now) }
    let before = estimate
    let wasSilent = silence.isSilent
    guard silence.handleTimeout(at: now) else { return }
    if !wasSilent { rateBeforeSilence = before }
    controller.set(before * SendSideBandwidthEstimator.silenceFactor)
    hold()
  }

  // MARK: Parts

  private var isCalm: Bool {
    observer.usage == .normal && !controller.isDraining
      && observer.queueDelay < SendSideBandwidthEstimator.calmQueue
  }

  private var conditions: ProbeController.Conditions {
    let ceiling = min(2 * demand, 2 * Double(bounds.maximum))
    return ProbeController.Conditions(
      rate: estimate, ceiling: ceiling, demand: min(demand, Double(bounds.maximum)),
      isApplicationLimited: applicationLimit.isLimited, isCalm: isCalm)
  }

  private func take(_ packet: PacketFeedback, endsSilence: Bool, at now: Instant) {
    // What an outage lost is no congestion.
    if !endsSilence || packet.receivedAt != nil { loss.add(packet) }
    guard let receivedAt = packet.receivedAt else { return }
    observer.add(packet, receivedAt: receivedAt, at: now)
    if packet.probeCluster != nil { probeEstimator.add(packet) }
  }

  private func updateRate(at now: Instant) {
    let decreaseBefore = controller.lastDecrease
    let outcome = controller.update(
      usage: observer.usage, acknowledged: observer.acknowledgedBitrate, queueDelay: observer.queueDelay,
      roundTripTime: roundTripTime, isApplicationLimited: applicationLimit.isLimited,
      averagePacketBits: observer.averagePacketBits, at: now)
    if outcome == .delayIsThePaths { observer.rebase() }
    if controller.lastDecrease != decreaseBefore {
      probes.handleOveruse(
        acknowledged: observer.acknowledgedBitrate, roundTripTime: roundTripTime, at: now)
    }
  }

  private func takeProbeResults(at now: Instant) {
    while let result = probeEstimator.nextResult() {
      let before = estimate
      if observer.usage != .overusing { controller.handle(probe: result) }
      let requested = probeEstimator.requestedBitrate(of: result.cluster) ?? 0
      probes.handle(result, requested: requested, previousRate: before, conditions, at: now)
    }
  }

  /// Returns whether the peer had been silent.
  @discardableResult private func handleEndOfSilence(at now: Instant) -> Bool {
    hasFeedback = true
    guard silence.handleFeedback() else { return false }
    loss.reset()
    // The path is back: see at once whether it is what it was.
    probes.probe(0.85 * rateBeforeSilence, conditions, at: now)
    return true
  }

  /// Keeps the rates where the bounds allow a target to lie, with room above for what is only known.
  private func hold() {
    let highest = Double(bounds.maximum) * 2
    let lowest = Double(bounds.minimum)
    if controller.rate > highest || controller.rate < lowest {
      controller.set(min(max(controller.rate, lowest), highest))
    }
    if reports.rate > highest || reports.rate < lowest {
      reports.set(min(max(reports.rate, lowest), highest))
    }
  }
}
