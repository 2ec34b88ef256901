import CBenchmarkLoops
import DTLS
import SCTP
import WireFormat

/// Data channels, both ends on one core and in memory, beside usrsctp; then loss and delay on the virtual clock.
enum SCTPBenchmark {
  private static let rounds = 5
  private static let secondsPerRound = 0.4

  static func run(_ report: inout Report) throws {
    var table = Table(
      "SCTP on one core, both ends in memory, packets of \(SCTPConfiguration().mtu) B",
      ["message, B", "ours, MB/s", "ns/B", "usrsctp, MB/s", "ns/B", "ours through DTLS, MB/s", "ns/B"])
    for size in [1024, 1200, 16_384, 65_536, 262_144] { try measure(size, &table) }
    table.note("MB a second of processor time; medians of \(rounds) rounds, ours and usrsctp's in turn")
    table.note("no checksums on either side (RFC 9653); usrsctp without threads")
    report.add(table)

    var paths = Table(
      "SCTP over a path of 100 ms, one direction, virtual time",
      ["loss, %", "Mbit/s", "goal", "congestion window, B", "timeouts"])
    for (loss, goal) in [(0.0, 135.0), (0.01, 6.5), (0.05, 0)] {
      try path(loss: loss, oneWayMilliseconds: 50, goal: goal, &paths)
    }
    report.add(paths)
  }

  private static func measure(_ size: Int, _ table: inout Table) throws {
    var direct: [Double] = []
    var secured: [Double] = []
    var usrsctp: [Double] = []
    for _ in 0..<rounds {
      direct.append(try loopback(size: size, throughDTLS: false))
      if let rate = foreign(size: size) { usrsctp.append(rate) }
      secured.append(try loopback(size: size, throughDTLS: true))
    }
    func cells(_ rates: [Double]) -> [Table.Value] {
      guard !rates.isEmpty else { return [.none, .none] }
      let rate = rates.percentile(50)
      return [.number(rate / 1e6), .number(1e9 / rate)]
    }
    table.add([.count(size)] + cells(direct) + cells(usrsctp) + cells(secured))
  }

  /// Bytes a second of processor time with usrsctp; nil where it is not installed.
  private static func foreign(size: Int) -> Double? {
    var result = reactor_usrsctp_result()
    guard reactor_usrsctp_run(size, SCTPConfiguration().mtu, secondsPerRound, &result) == 0 else {
      return nil
    }
    return Double(result.bytes) / result.seconds
  }

  private struct Failure: Error {}

  /// Two transports and, where asked for, the DTLS between them.
  private final class Pair {
    let pool = PacketPool()
    let a: DataChannelTransport
    let b: DataChannelTransport
    var secureA: DTLSTransport?
    var secureB: DTLSTransport?
    private let packet = PacketBuffer()

    init(throughDTLS: Bool) throws {
      a = DataChannelTransport(random: RandomSource(seed: 1))
      b = DataChannelTransport(random: RandomSource(seed: 2))
      guard throughDTLS else { return }
      let one = try DTLSCertificate.generate()
      let other = try DTLSCertificate.generate()
      let client = DTLSTransport(
        role: .client, certificate: one, remoteFingerprints: [other.fingerprint], pool: pool)
      let server = DTLSTransport(
        role: .server, certificate: other, remoteFingerprints: [one.fingerprint], pool: pool)
      server.start(at: .origin)
      client.start(at: .origin)
      for _ in 0..<4 {
        carryRecords(client, server)
        carryRecords(server, client)
      }
      guard client.isConnected, server.isConnected else { throw Failure() }
      (secureA, secureB) = (client, server)
    }

    private func carryRecords(_ from: DTLSTransport, _ to: DTLSTransport) {
      while let buffer = from.nextTransmit() {
        to.handle(buffer.bytes, at: .origin)
        pool.give(consume buffer)
      }
    }

    /// Carries up to `limit` packets from one end to the other, as a driver's batch would.
    func carry(fromA: Bool, limit: Int = 32, at now: Instant) throws -> Int {
      let source = fromA ? a : b
      let target = fromA ? b : a
      var count = 0
      while count < limit {
        packet.reset()
        guard source.nextTransmit(into: packet, at: now) else { break }
        count += 1
        let packet = packet
        if let from = fromA ? secureA : secureB, let to = fromA ? secureB : secureA {
          try from.send(packet.bytes, at: now)
          carryRecords(from, to)
          while let opened = to.nextReceived() {
            target.handle(opened.bytes, at: now)
            pool.give(consume opened)
          }
        } else {
          target.handle(packet.bytes, at: now)
        }
      }
      return count
    }
  }

  /// Bytes a second of processor time.
  private static func loopback(size: Int, throughDTLS: Bool) throws -> Double {
    let pair = try Pair(throughDTLS: throughDTLS)
    var now = MonotonicClock.now()
    let id = try pair.a.open(label: "bulk", at: now)
    pair.a.start(isDTLSClient: true, remoteMaxMessageSize: 262_144, remoteInit: pair.b.localInit, at: now)
    pair.b.start(isDTLSClient: false, remoteMaxMessageSize: 262_144, remoteInit: pair.a.localInit, at: now)
    let message = [UInt8](repeating: 5, count: size)
    var received = 0
    let start = threadSeconds()
    while threadSeconds() - start < secondsPerRound {
      while pair.a.bufferedAmount(of: id) < 1_048_576 {
        // A fresh copy each, as an application's message would be.
        try pair.a.send(message.rawSpan, isText: false, on: id, at: now)
      }
      _ = try pair.carry(fromA: true, at: now)
      _ = try pair.carry(fromA: false, at: now)
      while let event = pair.b.nextEvent() {
        if case .message(_, let bytes, _) = event { received += bytes.count }
      }
      while pair.a.nextEvent() != nil {}
      now = MonotonicClock.now()
      if let timeout = pair.a.nextTimeout(), timeout <= now { pair.a.handleTimeout(at: now) }
      if let timeout = pair.b.nextTimeout(), timeout <= now { pair.b.handleTimeout(at: now) }
    }
    return Double(received) / (threadSeconds() - start)
  }

  /// One direction over a path with delay and random loss, in virtual time.
  private static func path(
    loss: Double, oneWayMilliseconds: Int64, goal: Double, _ table: inout Table
  ) throws {
    let pair = try Pair(throughDTLS: false)
    var now = Instant.origin + .seconds(Int64(1))
    var random = RandomSource(seed: 7)
    let delay = Interval.milliseconds(oneWayMilliseconds)
    var toA: [(Instant, [UInt8])] = []
    var toB: [(Instant, [UInt8])] = []
    var headA = 0
    var headB = 0
    let id = try pair.a.open(label: "bulk", at: now)
    pair.a.start(isDTLSClient: true, remoteMaxMessageSize: 0, remoteInit: pair.b.localInit, at: now)
    pair.b.start(isDTLSClient: false, remoteMaxMessageSize: 0, remoteInit: pair.a.localInit, at: now)
    let message = [UInt8](repeating: 5, count: 65_536)
    let packet = PacketBuffer()
    let began = now
    let end = now + .seconds(Int64(30))
    var received = 0
    while now < end {
      while pair.a.bufferedAmount(of: id) < 8_388_608 {
        try pair.a.send(message, isText: false, on: id, at: now)
      }
      for fromA in [true, false] {
        let source = fromA ? pair.a : pair.b
        while true {
          packet.reset()
          guard source.nextTransmit(into: packet, at: now) else { break }
          guard random.unit() >= loss else { continue }
          let copy = packet.bytes.copyBytes()
          if fromA { toB.append((now + delay, copy)) } else { toA.append((now + delay, copy)) }
        }
      }
      while let event = pair.b.nextEvent() {
        if case .message(_, let bytes, _) = event { received += bytes.count }
      }
      while pair.a.nextEvent() != nil {}
      var next: Instant? = headA < toA.count ? toA[headA].0 : nil
      next = .earliest(next, headB < toB.count ? toB[headB].0 : nil)
      next = .earliest(next, pair.a.nextTimeout())
      next = .earliest(next, pair.b.nextTimeout())
      now = max(now, next ?? end)
      while headA < toA.count, toA[headA].0 <= now {
        let arrived = toA[headA].1
        pair.a.handle(arrived.rawSpan, at: now)
        toA[headA].1 = []
        headA += 1
      }
      while headB < toB.count, toB[headB].0 <= now {
        let arrived = toB[headB].1
        pair.b.handle(arrived.rawSpan, at: now)
        toB[headB].1 = []
        headB += 1
      }
      if let timeout = pair.a.nextTimeout(), timeout <= now { pair.a.handleTimeout(at: now) }
      if let timeout = pair.b.nextTimeout(), timeout <= now { pair.b.handleTimeout(at: now) }
    }
    let rate = Double(received) * 8 / (now - began).inSeconds / 1e6
    table.add(
      .number(loss * 100), .number(rate), goal > 0 ? .number(goal) : .none,
      .count(pair.a.statistics.congestionWindow), .count(Int(pair.a.statistics.timeouts)))
  }
}
