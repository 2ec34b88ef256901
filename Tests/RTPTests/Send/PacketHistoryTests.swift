import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct PacketHistoryTests {
  private let start = Instant.origin + .seconds(10)

  private func packet(_ sequence: UInt16, size: Int = 100) -> OutgoingPacket {
    let buffer = PacketBuffer()
    try? buffer.append(sequence)
    try? buffer.appendZeros(size - 2)
    return OutgoingPacket(
      buffer: buffer, priority: .video, track: 0, sequenceNumber: sequence, enqueuedAt: start)
  }

  private func number(_ stored: PacketHistory.Stored?) -> UInt16? {
    guard let bytes = stored?.buffer.bytes, let high = bytes.byte(at: 0), let low = bytes.byte(at: 1) else {
      return nil
    }
    return UInt16(high) << 8 | UInt16(low)
  }

  private func take(_ history: inout PacketHistory, _ sequence: UInt16, at now: Instant) -> UInt16? {
    number(history.takeForResend(sequence, roundTripTime: .milliseconds(50), at: now))
  }

  @Test func `packets are found across the wrap of the sequence number`() {
    var history = PacketHistory(limits: .init(packets: 64))
    for step in 0..<40 { history.store(packet(UInt16(65_516) &+ UInt16(step)), at: start) }
    for sequence in [UInt16(65_516), 65_535, 0, 19] {
      #expect(take(&history, sequence, at: start + .milliseconds(1)) == sequence)
    }
    #expect(take(&history, 20, at: start) == nil)
    #expect(take(&history, 65_515, at: start) == nil)
  }

  @Test func `the oldest are forgotten by count, bytes and time`() {
    var few = PacketHistory(limits: .init(packets: 16))
    for sequence in 0..<40 as Range<UInt16> { few.store(packet(sequence), at: start) }
    #expect(take(&few, 23, at: start) == nil)
    #expect(take(&few, 24, at: start) == 24)

    var small = PacketHistory(limits: .init(packets: 64, bytes: 1000))
    for sequence in 0..<40 as Range<UInt16> { small.store(packet(sequence), at: start) }
    #expect(small.bytes <= 1000)
    #expect(take(&small, 29, at: start) == nil)
    #expect(take(&small, 39, at: start) == 39)

    var short = PacketHistory(limits: .init(time: .milliseconds(500)))
    short.store(packet(1), at: start)
    #expect(take(&short, 1, at: start + .milliseconds(501)) == nil)
    #expect(short.newestPacket(at: start + .milliseconds(501)) == nil)
  }

  @Test func `a packet is not sent again within a round trip, nor for ever`() {
    var history = PacketHistory(limits: .init(time: .seconds(60), resends: 3))
    history.store(packet(9), at: start)
    #expect(take(&history, 9, at: start + .milliseconds(10)) == 9)
    #expect(take(&history, 9, at: start + .milliseconds(54)) == nil)
    #expect(take(&history, 9, at: start + .milliseconds(55)) == 9)
    #expect(take(&history, 9, at: start + .milliseconds(200)) == 9)
    #expect(take(&history, 9, at: start + .milliseconds(400)) == nil)
  }

  @Test func `a copy is kept, not the packet that SRTP then changes in place`() {
    var history = PacketHistory()
    let sent = packet(3)
    history.store(sent, at: start)
    sent.buffer.set(0xFFFF as UInt16, at: 0)
    #expect(take(&history, 3, at: start) == 3)
  }

  @Test func `a storm of requests is held to the budget`() {
    var budget = RetransmissionBudget()
    budget.setRate(1_000_000, at: start)
    var sent = 0
    for step in 0..<2000 {
      if budget.take(1200, at: start + .milliseconds(Int64(step))) { sent += 1200 }
    }
    // Half of 1 Mbit/s over 2 s, and the first burst.
    #expect(Double(sent) * 8 <= 0.5 * 2_000_000 + 300_000)
    #expect(Double(sent) * 8 >= 0.45 * 2_000_000)
  }
}
