import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct PacerTests {
  private let start = Instant.origin + .seconds(10)

  private func packet(_ size: Int, _ priority: PacketPriority, track: Int = 0) -> OutgoingPacket {
    let buffer = PacketBuffer()
    try? buffer.appendZeros(size)
    return OutgoingPacket(buffer: buffer, priority: priority, track: track, enqueuedAt: start)
  }

  /// Drains what may leave at `now`.
  private func drain(_ pacer: inout Pacer, at now: Instant) -> [OutgoingPacket] {
    var packets: [OutgoingPacket] = []
    while case .send(let packet) = pacer.next(at: now) { packets.append(packet) }
    return packets
  }

  @Test func `audio leaves at once whatever waits`() {
    var pacer = Pacer(rate: 100_000)
    for _ in 0..<20 { #expect(pacer.enqueue(packet(1200, .video), at: start) == true) }
    #expect(drain(&pacer, at: start).count == 1)
    #expect(pacer.enqueue(packet(100, .audio), at: start + .milliseconds(1)) == true)
    #expect(pacer.nextSendTime().map { $0 <= start + .milliseconds(1) } == true)
    #expect(drain(&pacer, at: start + .milliseconds(1)).map(\.priority) == [.audio])
  }

  @Test func `retransmissions leave before video and padding last`() {
    var pacer = Pacer(rate: 100_000_000)
    for priority in [PacketPriority.padding, .video, .retransmission, .audio] {
      #expect(pacer.enqueue(packet(10, priority), at: start) == true)
    }
    var order: [PacketPriority] = []
    for step in 0..<4 {
      order += drain(&pacer, at: start + .milliseconds(Int64(step))).map(\.priority)
    }
    #expect(order == [.audio, .retransmission, .video, .padding])
  }

  @Test(arguments: [300_000, 2_500_000, 25_000_000])
  func `a backlog leaves at the rate`(rate: Int) {
    var pacer = Pacer(rate: rate)
    for _ in 0..<400 { #expect(pacer.enqueue(packet(1000, .video), at: start) == true) }
    var now = start
    var sent = 0
    while sent < 400, let next = pacer.nextSendTime() {
      now = max(now, next)
      sent += drain(&pacer, at: now).count
    }
    let expected = 399 * 8000 / Double(rate)
    #expect(sent == 400)
    #expect(abs((now - start).inSeconds - expected) < 0.02 * expected + 0.001)
  }

  @Test func `a keyframe on a fast estimate leaves within a few milliseconds`() {
    // 60 kB at the pacing rate of a 5 Mbit/s estimate.
    var pacer = Pacer(rate: 12_500_000)
    for _ in 0..<50 { #expect(pacer.enqueue(packet(1200, .video), at: start) == true) }
    var now = start
    while let next = pacer.nextSendTime() {
      now = max(now, next)
      _ = drain(&pacer, at: now)
    }
    #expect(now - start < .milliseconds(40))
  }

  @Test func `a late timer is made up for, but not without bound`() {
    var pacer = Pacer(rate: 8_000_000)
    for _ in 0..<200 { #expect(pacer.enqueue(packet(1000, .video), at: start) == true) }
    #expect(drain(&pacer, at: start).count == 1)
    // 4 ms late: four packets' time.
    #expect((4...5).contains(drain(&pacer, at: start + .milliseconds(5)).count))
    // A second late: 10 ms are made up for, the rest is lost.
    #expect((10...12).contains(drain(&pacer, at: start + .seconds(1)).count))
  }

  @Test func `idle time earns no credit`() {
    var pacer = Pacer(rate: 1_000_000)
    _ = drain(&pacer, at: start)
    let later = start + .seconds(5)
    for _ in 0..<10 { #expect(pacer.enqueue(packet(1000, .video), at: later) == true) }
    #expect(drain(&pacer, at: later).count == 1)
  }

  @Test func `the queue is bounded in bytes, packets and time`() {
    var pacer = Pacer(rate: 1_000_000, limits: PacerLimits(bytes: 10_000, packets: 100, time: .seconds(1)))
    for _ in 0..<10 { #expect(pacer.enqueue(packet(1000, .video), at: start) == true) }
    #expect(pacer.enqueue(packet(1000, .video), at: start) == false)
    #expect(!pacer.hasRoom(for: 1))
    // Audio is not held up by video's queue.
    #expect(pacer.enqueue(packet(100, .audio), at: start) == true)
    var slow = Pacer(rate: 8000, limits: PacerLimits(bytes: 10_000, packets: 100, time: .seconds(1)))
    #expect(slow.hasRoom(for: 5000))
    #expect(slow.enqueue(packet(1100, .video), at: start) == true)
    #expect(!slow.hasRoom(for: 1))
    var short = Pacer(rate: 1_000_000, limits: PacerLimits(bytes: 10_000, packets: 3, time: .seconds(1)))
    for _ in 0..<3 { #expect(short.enqueue(packet(10, .video), at: start) == true) }
    #expect(short.enqueue(packet(10, .video), at: start) == false)
  }

  @Test func `a probe leaves at its own rate, filled with padding`() {
    var pacer = Pacer(rate: 500_000)
    pacer.canPad = true
    pacer.add(ProbeRequest(cluster: 7, bitrate: 4_000_000, minimumBytes: 7500), at: start)
    #expect(pacer.enqueue(packet(1200, .video), at: start) == true)
    var now = start
    var bytes = 0
    var clusters: Set<Int> = []
    var count = 0
    loop: while let next = pacer.nextSendTime(), count < 1000 {
      now = max(now, next)
      count += 1
      switch pacer.next(at: now) {
      case .send(let packet):
        bytes += packet.buffer.count
        if let cluster = packet.probeCluster { clusters.insert(cluster) }
      case .pad(let size, let cluster):
        bytes += size
        clusters.insert(cluster)
        pacer.addPadding(bytes: size, at: now)
      case .wait: continue loop
      }
    }
    #expect(clusters == [7])
    #expect(bytes >= 7500 && bytes < 9000)
    let rate = Double(bytes) * 8 / (now - start).inSeconds
    #expect(rate > 3_500_000 && rate < 5_500_000)
  }

  @Test func `without padding a probe waits for media and is given up`() {
    var pacer = Pacer(rate: 500_000)
    pacer.add(ProbeRequest(cluster: 1, bitrate: 4_000_000, minimumBytes: 7500), at: start)
    #expect(pacer.nextSendTime() == nil)
    guard case .wait = pacer.next(at: start + .seconds(3)) else {
      Issue.record("nothing to send")
      return
    }
    #expect(pacer.enqueue(packet(1000, .video), at: start + .seconds(3)) == true)
    #expect(drain(&pacer, at: start + .seconds(3)).first?.probeCluster == nil)
  }

  @Test func `a probe that falls behind is given up`() {
    var pacer = Pacer(rate: 500_000)
    pacer.canPad = true
    pacer.add(ProbeRequest(cluster: 1, bitrate: 4_000_000, minimumBytes: 7500), at: start)
    guard case .pad(let bytes, _) = pacer.next(at: start) else {
      Issue.record("padding is due")
      return
    }
    pacer.addPadding(bytes: bytes, at: start)
    guard case .wait = pacer.next(at: start + .milliseconds(100)) else {
      Issue.record("the probe is over")
      return
    }
    #expect(pacer.nextSendTime() == nil)
  }

  @Test func `removing a track keeps the others in order`() {
    var pacer = Pacer(rate: 100_000_000)
    for size in 1...6 { #expect(pacer.enqueue(packet(size, .video, track: size % 2), at: start) == true) }
    var removed = 0
    pacer.remove(track: 1) { _ in removed += 1 }
    #expect(removed == 3)
    #expect(pacer.queuedBytes == 12)
    var sizes: [Int] = []
    for step in 0..<3 { sizes += drain(&pacer, at: start + .milliseconds(Int64(step))).map(\.buffer.count) }
    #expect(sizes == [2, 4, 6])
  }
}
