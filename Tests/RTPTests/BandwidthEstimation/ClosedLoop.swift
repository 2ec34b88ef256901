import RTP
import TestSupport
import WireFormat

/// A sender, a bottleneck and a receiver that reports, on the virtual clock: what the estimator is judged by.
struct ClosedLoop {
  struct Settings {
    var capacity = 1_000_000.0
    /// One way, each way.
    var delayMilliseconds = 20.0
    var loss = 0.0
    var jitterMilliseconds = 0.0
    var feedbackLoss = 0.0
    var queueBytes = 0
    var seed: UInt64 = 1
    var bounds = BitrateBounds(minimum: 50_000, start: 300_000, maximum: 30_000_000)
    /// Bits per second that the source makes at most.
    var sourceLimit = Int.max
    var canPad = true
    var sendsFeedback = true
  }

  struct Sample {
    var at: Instant
    var target: Double
    var queue: Interval
  }

  private struct Sent {
    var sentAt: Instant
    var size: Int
    var cluster: Int?
    var reportedLost = false
  }

  struct Flight {
    var sequence: Int64
    var size: Int
  }

  struct Report {
    /// The receiver tells of this number and the following ones.
    var base: Int64
    var arrived: [(sequence: Int64, receivedAt: Instant)]
  }

  let settings: Settings
  var estimator: SendSideBandwidthEstimator
  var pacer: Pacer
  var link: LinkEmulator<Flight>
  var back: LinkEmulator<Report>
  var now = Instant.origin + .seconds(1000)
  private(set) var samples: [Sample] = []
  private(set) var bytesSent = 0
  private(set) var probesSent = 0
  private let pool = PacketPool()
  private var random: RandomSource
  private var nextFrame: Instant
  private var nextFeedback: Instant
  private var nextSample: Instant
  private var nextSequence: Int64 = 1
  private var sent: [Int64: Sent] = [:]
  private var arrived: [(sequence: Int64, receivedAt: Instant)] = []
  private var nextReported: Int64 = 1

  init(_ settings: Settings) {
    self.settings = settings
    estimator = SendSideBandwidthEstimator(bounds: settings.bounds)
    pacer = Pacer(rate: settings.bounds.start)
    var forward = LinkEmulator<Flight>.Conditions()
    forward.bitsPerSecond = settings.capacity
    forward.delayMilliseconds = settings.delayMilliseconds
    forward.loss = settings.loss
    forward.jitterMilliseconds = settings.jitterMilliseconds
    forward.queueBytes = settings.queueBytes > 0 ? settings.queueBytes : Int(settings.capacity / 8)
    link = LinkEmulator(forward, seed: settings.seed)
    var backward = LinkEmulator<Report>.Conditions()
    backward.delayMilliseconds = settings.delayMilliseconds
    backward.loss = settings.feedbackLoss
    back = LinkEmulator(backward, seed: settings.seed &+ 77)
    random = RandomSource(seed: settings.seed &+ 99)
    nextFrame = now
    nextFeedback = now + .milliseconds(50)
    nextSample = now
    pacer.canPad = settings.canPad
    estimator.setDemand(min(settings.sourceLimit, 50_000_000), at: now)
    estimator.handle(roundTripTime: .milliseconds(2 * settings.delayMilliseconds), at: now)
  }

  mutating func setCapacity(_ capacity: Double) {
    link.conditions.bitsPerSecond = capacity
    link.conditions.queueBytes = Int(capacity / 8)
  }

  mutating func run(for span: Interval) {
    let end = now + span
    while now < end {
      step()
      now = nextEvent(before: end)
    }
  }

  /// The samples of the last `span`.
  func samples(last span: Interval) -> [Sample] {
    samples.filter { $0.at > now - span }
  }

  private func nextEvent(before end: Instant) -> Instant {
    var next = min(end, min(nextFrame, min(nextFeedback, nextSample)))
    for time in [
      pacer.nextSendTime(), link.nextArrival, back.nextArrival, estimator.nextTimeout(),
    ] {
      if let time { next = min(next, time) }
    }
    return max(next, now + .microseconds(10))
  }

  private mutating func step() {
    if now >= nextFrame { makeFrame() }
    if let timeout = estimator.nextTimeout(), timeout <= now { estimator.handleTimeout(at: now) }
    while let flight = link.receive(at: now) { arrived.append((flight.sequence, now)) }
    if now >= nextFeedback { sendFeedback() }
    while let report = back.receive(at: now) { take(report) }
    while let probe = estimator.nextProbe() {
      pacer.add(probe, at: now)
      probesSent += 1
    }
    pacer.setRate(estimator.pacingRate, at: now)
    transmit()
    if now >= nextSample {
      samples.append(
        Sample(at: now, target: Double(estimator.targetBitrate), queue: link.queueDelay(at: now)))
      nextSample = now + .milliseconds(10)
    }
  }

  private mutating func makeFrame() {
    nextFrame = nextFrame + .nanoseconds(33_333_333)
    let rate = Double(min(estimator.targetBitrate, settings.sourceLimit))
    let size = max(100, Int(rate / 8 / 30 * (0.8 + 0.4 * random.unit())))
    guard pacer.backlog < .milliseconds(300) else { return }
    let count = (size + 1199) / 1200
    for _ in 0..<count {
      let buffer = pool.take()
      try? buffer.appendZeros(size / count)
      _ = pacer.enqueue(
        OutgoingPacket(buffer: buffer, priority: .video, track: 0, enqueuedAt: now), at: now)
    }
  }

  private mutating func transmit() {
    while true {
      switch pacer.next(at: now) {
      case .wait: return
      case .pad(let bytes, let cluster):
        pacer.addPadding(bytes: bytes, at: now)
        put(size: bytes, cluster: cluster)
      case .send(let packet):
        put(size: packet.buffer.count, cluster: packet.probeCluster)
        pool.give(packet.buffer)
      }
    }
  }

  private mutating func put(size: Int, cluster: Int?) {
    let sequence = nextSequence
    nextSequence += 1
    sent[sequence] = Sent(sentAt: now, size: size, cluster: cluster)
    bytesSent += size
    link.send(Flight(sequence: sequence, size: size), bytes: size, at: now)
    estimator.handle(sentBytes: size, at: now)
  }

  private mutating func sendFeedback() {
    nextFeedback = now + .milliseconds(50)
    guard !arrived.isEmpty, settings.sendsFeedback else { return }
    let numbers = arrived.map(\.sequence)
    let base = min(nextReported, numbers.min() ?? nextReported)
    nextReported = max(nextReported, (numbers.max() ?? 0) + 1)
    back.send(Report(base: base, arrived: arrived), bytes: 100, at: now)
    arrived.removeAll()
  }

  private mutating func take(_ report: Report) {
    let highest = report.arrived.map(\.sequence).max() ?? report.base
    var times: [Int64: Instant] = [:]
    for item in report.arrived { times[item.sequence] = item.receivedAt }
    var feedback: [PacketFeedback] = []
    for sequence in report.base...max(report.base, highest) {
      guard var packet = sent[sequence] else { continue }
      let received = times[sequence]
      if received == nil, packet.reportedLost { continue }
      // Feedback carries quarters of a millisecond, on another clock.
      let quantised = received.map {
        Instant(nanoseconds: $0.nanoseconds / 250_000 * 250_000) + .seconds(-400)
      }
      feedback.append(
        PacketFeedback(
          transportSequence: sequence, sentAt: packet.sentAt, size: packet.size, receivedAt: quantised,
          probeCluster: packet.cluster, correctsLoss: packet.reportedLost))
      packet.reportedLost = received == nil
      sent[sequence] = received == nil ? packet : nil
    }
    sent = sent.filter { $0.key > highest - 2000 }
    estimator.handle(feedback: feedback, at: now)
  }
}

extension [ClosedLoop.Sample] {
  var averageTarget: Double {
    isEmpty ? 0 : map(\.target).reduce(0, +) / Double(count)
  }

  var longestQueue: Interval { map(\.queue).max() ?? .zero }

  /// Averages over whole seconds.
  var targetsBySecond: [Double] {
    var sums: [Int64: (sum: Double, count: Double)] = [:]
    for sample in self {
      let second = sample.at.nanoseconds / 1_000_000_000
      sums[second, default: (0, 0)].sum += sample.target
      sums[second, default: (0, 0)].count += 1
    }
    return sums.sorted { $0.key < $1.key }.map { $0.value.sum / $0.value.count }
  }
}
