import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct SentPacketLogTests {
  private let start = Instant.origin + .seconds(10)

  @Test func `feedback finds its packet across the wrap`() {
    var log = SentPacketLog(firstSequence: 65_530)
    var numbers: [UInt16] = []
    for step in 0..<20 {
      numbers.append(log.add(size: 100 + step, probeCluster: nil, at: start + .milliseconds(Int64(step))))
    }
    #expect(numbers == (0..<20).map { UInt16(65_530) &+ UInt16($0) })
    #expect(log.bytesInFlight == (0..<20).reduce(0) { $0 + 100 + $1 })
    for (step, number) in numbers.enumerated() {
      let feedback = log.take(number, receivedAt: start)
      #expect(feedback?.size == 100 + step)
      #expect(feedback?.sentAt == start + .milliseconds(Int64(step)))
      #expect(feedback?.transportSequence == 65_530 + Int64(step))
    }
    #expect(log.bytesInFlight == 0)
  }

  @Test func `each packet is told of once, and a late one corrects its loss`() {
    var log = SentPacketLog()
    let first = log.add(size: 10, probeCluster: 4, at: start)
    let second = log.add(size: 20, probeCluster: nil, at: start)
    #expect(log.take(first, receivedAt: nil)?.receivedAt == nil)
    #expect(log.take(first, receivedAt: nil) == nil)
    let corrected = log.take(first, receivedAt: start + .seconds(1))
    #expect(corrected?.correctsLoss == true)
    #expect(corrected?.probeCluster == 4)
    #expect(log.take(first, receivedAt: start) == nil)
    #expect(log.take(second, receivedAt: start)?.correctsLoss == false)
    #expect(log.take(second &+ 1, receivedAt: start) == nil)
    #expect(log.bytesInFlight == 0)
  }

  @Test func `old packets are forgotten and their feedback ignored`() {
    var log = SentPacketLog(capacity: 64)
    var last: UInt16 = 0
    for _ in 0..<200 { last = log.add(size: 10, probeCluster: nil, at: start) }
    #expect(log.take(last &- 64, receivedAt: start) == nil)
    #expect(log.take(last &- 63, receivedAt: start)?.size == 10)
    #expect(log.bytesInFlight == 63 * 10)
  }

  @Test(arguments: [255, 256, 257, 700, 8192, 9000])
  func `as many packets are remembered as the capacity says, however the table grew`(_ count: Int) {
    var log = SentPacketLog(firstSequence: 65_000)
    let numbers = (0..<count).map { step in
      log.add(size: 1 + step, probeCluster: nil, at: start + .microseconds(Int64(step)))
    }
    let forgotten = max(0, count - 8192)
    for (step, number) in numbers.enumerated() where step >= forgotten {
      #expect(log.take(number, receivedAt: start)?.sentAt == start + .microseconds(Int64(step)))
    }
    if forgotten > 0 {
      #expect(log.take(numbers[0], receivedAt: start) == nil)
    }
    #expect(log.bytesInFlight == 0)
  }

  @Test func `the reference time's wrap leaves no jump in arrival times`() {
    var log = SentPacketLog()
    var reader = TransportFeedbackReader()
    var results: [PacketFeedback] = []
    for reference in [0x7F_FFFE as Int32, 0x7F_FFFF, -0x80_0000, -0x7F_FFFF] {
      let number = log.add(size: 10, probeCluster: nil, at: start)
      let feedback = TransportFeedback(
        senderSSRC: 1, mediaSSRC: 2, baseSequence: number, referenceTime: reference, feedbackCount: 0,
        statuses: [.received(delta: 4)])
      reader.read(feedback, log: &log, into: &results)
    }
    let times = results.compactMap(\.receivedAt)
    #expect(times.count == 4)
    for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier == .milliseconds(64)) }
  }

  @Test func `lost, untimed and received packets are told apart`() {
    var log = SentPacketLog()
    var reader = TransportFeedbackReader()
    var results: [PacketFeedback] = []
    let base = log.add(size: 1, probeCluster: nil, at: start)
    for size in 2...4 { _ = log.add(size: size, probeCluster: nil, at: start) }
    reader.read(
      TransportFeedback(
        senderSSRC: 1, mediaSSRC: 2, baseSequence: base, referenceTime: 5, feedbackCount: 0,
        statuses: [.received(delta: 0), .notReceived, .receivedWithoutTime, .received(delta: -8)]),
      log: &log, into: &results)
    #expect(results.map(\.size) == [1, 2, 4])
    #expect(results[1].receivedAt == nil)
    if let first = results[0].receivedAt, let last = results[2].receivedAt {
      #expect(last - first == .milliseconds(-2))
    }
  }
}
