import RTP
import TestSupport
import Testing
import WireFormat

/// A link that the estimator has to find.
struct LinkCase: CustomTestStringConvertible, Sendable {
  var capacity: Double
  var delayMilliseconds: Double
  var loss: Double
  var seed: UInt64

  var testDescription: String {
    "\(Int(capacity / 1000)) kbit/s, \(Int(delayMilliseconds)) ms, loss \(loss), seed \(seed)"
  }

  var settings: ClosedLoop.Settings {
    var settings = ClosedLoop.Settings()
    settings.capacity = capacity
    settings.delayMilliseconds = delayMilliseconds
    settings.loss = loss
    settings.seed = seed
    return settings
  }

  static let all: [LinkCase] = [300_000.0, 1_000_000, 3_000_000, 10_000_000].flatMap { capacity in
    [20.0, 100].flatMap { delay in
      [0.0, 0.02].flatMap { loss in
        (1...4).map {
          LinkCase(capacity: capacity, delayMilliseconds: delay, loss: loss, seed: UInt64($0))
        }
      }
    }
  }
}

@Test(arguments: LinkCase.all)
func `the estimate converges to the link's capacity and builds no queue`(link: LinkCase) {
  var loop = ClosedLoop(link.settings)
  loop.run(for: .seconds(5))
  loop.run(for: .seconds(25))
  let steady = loop.samples(last: .seconds(25))
  #expect(abs(steady.averageTarget / link.capacity - 1) < 0.15)
  for second in steady.targetsBySecond { #expect(abs(second / link.capacity - 1) < 0.2) }
  let seconds = steady.targetsBySecond
  let within = seconds.filter { abs($0 / link.capacity - 1) <= 0.15 }.count
  #expect(Double(within) >= 0.9 * Double(seconds.count))
  #expect(steady.longestQueue <= .milliseconds(100))
}

@Test(arguments: LinkCase.all, [0.5, 2.0])
func `the estimate follows within 3 s when the capacity halves or doubles`(link: LinkCase, factor: Double) {
  var loop = ClosedLoop(link.settings)
  loop.run(for: .seconds(20))
  loop.setCapacity(link.capacity * factor)
  loop.run(for: .seconds(3))
  let capacity = link.capacity * factor
  let since = loop.samples(last: .seconds(3))
  // Half a second within 15 % of what is there now, with the queue gone.
  let isReached = stride(from: 50, through: since.count, by: 5).contains { end in
    let window = Array(since[(end - 50)..<end])
    return abs(window.averageTarget / capacity - 1) < 0.15 && window.longestQueue <= .milliseconds(100)
  }
  #expect(isReached)
  loop.run(for: .seconds(8))
  let after = loop.samples(last: .seconds(8))
  #expect(abs(after.averageTarget / capacity - 1) < 0.15)
  // At 150 and 600 kbit/s a probe and two packets are already 60 ms long.
  #expect(after.longestQueue <= .milliseconds(capacity < 1_000_000 ? 130 : 100))
}

@Test(arguments: [UInt64(1), 2, 3])
func `the first second finds a fast link by probing`(seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 10_000_000
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(1))
  #expect(loop.estimator.targetBitrate > 8_000_000)
}

@Test(arguments: [5.0, 10, 30], [UInt64(1), 2, 3])
func `jitter does not make the rate collapse or run away`(jitter: Double, seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.jitterMilliseconds = jitter
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(30))
  let steady = loop.samples(last: .seconds(20))
  #expect(steady.averageTarget > 0.7 * settings.capacity)
  #expect(steady.averageTarget < 1.1 * settings.capacity)
  let queues = steady.map(\.queue).sorted()
  #expect(queues[queues.count * 95 / 100] < .milliseconds(120 + 2 * jitter))
}

@Test(arguments: [UInt64(1), 2, 3])
func `a short buffer is found by its loss`(seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  // 15 ms: too short for the delay to show anything.
  settings.queueBytes = 3750
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(30))
  let steady = loop.samples(last: .seconds(20))
  #expect(steady.averageTarget > 0.6 * settings.capacity)
  #expect(steady.averageTarget < 1.2 * settings.capacity)
}

@Test(arguments: [UInt64(1), 2, 3])
func `lost feedback does not mislead`(seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.feedbackLoss = 0.1
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(30))
  let steady = loop.samples(last: .seconds(20))
  #expect(abs(steady.averageTarget / settings.capacity - 1) < 0.2)
  #expect(steady.longestQueue < .milliseconds(150))
}

@Test(arguments: [UInt64(1), 2, 3])
func `a longer path is not taken for a queue`(seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(10))
  loop.link.conditions.delayMilliseconds = 150
  loop.run(for: .seconds(15))
  #expect(loop.samples(last: .seconds(5)).averageTarget > 0.8 * settings.capacity)
}

@Test(arguments: [UInt64(1), 2, 3])
func `an outage of half a second is over soon after`(seed: UInt64) {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.seed = seed
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(10))
  loop.link.conditions.isDown = true
  loop.run(for: .milliseconds(500))
  loop.link.conditions.isDown = false
  loop.run(for: .seconds(4))
  #expect(loop.samples(last: .milliseconds(500)).averageTarget > 0.8 * settings.capacity)
}

@Test func `without feedback the rate falls to the minimum, and comes back by a probe`() {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(10))
  loop.link.conditions.isDown = true
  loop.run(for: .seconds(10))
  #expect(loop.estimator.targetBitrate == settings.bounds.minimum)
  loop.link.conditions.isDown = false
  loop.run(for: .seconds(3))
  #expect(loop.samples(last: .milliseconds(500)).averageTarget > 0.8 * settings.capacity)
}

@Test func `an application that sends little keeps its estimate and is probed for`() {
  var settings = ClosedLoop.Settings()
  settings.capacity = 10_000_000
  settings.sourceLimit = 1_000_000
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(30))
  // Probes go to twice the demand at most; nothing grows beyond it unproved.
  #expect(loop.estimator.targetBitrate >= 1_000_000)
  #expect(loop.estimator.targetBitrate <= 2_000_000)
  #expect(loop.samples(last: .seconds(20)).longestQueue < .milliseconds(40))
}

@Test func `bounds hold the target and can be moved while running`() {
  var settings = ClosedLoop.Settings()
  settings.capacity = 5_000_000
  settings.bounds = BitrateBounds(minimum: 200_000, start: 500_000, maximum: 1_500_000)
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(10))
  #expect(loop.estimator.targetBitrate == 1_500_000)
  loop.estimator.setBounds(
    BitrateBounds(minimum: 200_000, start: 500_000, maximum: 10_000_000), restart: false, at: loop.now)
  loop.run(for: .seconds(10))
  #expect(loop.estimator.targetBitrate > 4_200_000)
  loop.estimator.setBounds(
    BitrateBounds(minimum: 100_000, start: 200_000, maximum: 400_000), restart: false, at: loop.now)
  #expect(loop.estimator.targetBitrate == 400_000)
  loop.estimator.setBounds(
    BitrateBounds(minimum: 6_000_000, start: 6_000_000, maximum: 7_000_000), restart: false, at: loop.now)
  #expect(loop.estimator.targetBitrate == 6_000_000)
}

@Test func `a path that loses 5 % whatever is sent keeps its rate`() {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.loss = 0.05
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(40))
  #expect(loop.samples(last: .seconds(20)).averageTarget > 0.75 * settings.capacity)
}

@Test func `a connection without padding grows by its own media`() {
  var settings = ClosedLoop.Settings()
  settings.capacity = 2_000_000
  settings.canPad = false
  var loop = ClosedLoop(settings)
  loop.run(for: .seconds(30))
  #expect(loop.samples(last: .seconds(10)).averageTarget > 0.8 * settings.capacity)
  #expect(loop.samples(last: .seconds(10)).longestQueue < .milliseconds(150))
}
