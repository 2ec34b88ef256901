import DTLS
import SCTP
import WireFormat

/// Data channels, both ends on one core: packets handed over directly, and as DTLS records.
///
/// `benchmarks sctp [seconds]`; then loss and delay on the virtual clock.
enum SCTPBenchmark {
  static func run(arguments: [String]) {
    let seconds = arguments.first.flatMap { Double($0) } ?? 2
    do {
      for throughDTLS in [false, true] {
        for size in [1024, 1200, 16_384, 65_536, 262_144] {
          try loopback(size: size, seconds: seconds, throughDTLS: throughDTLS)
        }
      }
      for (loss, target) in [(0.0, 135.0), (0.01, 6.5), (0.05, 0)] {
        try path(loss: loss, oneWayMilliseconds: 50, target: target)
      }
    } catch {
      print("sctp: \(error)")
    }
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

  private static func loopback(size: Int, seconds: Double, throughDTLS: Bool) throws {
    let pair = try Pair(throughDTLS: throughDTLS)
    let start = MonotonicClock.now()
    let id = try pair.a.open(label: "bulk", at: start)
    pair.a.start(isDTLSClient: true, remoteMaxMessageSize: 262_144, remoteInit: pair.b.localInit, at: start)
    pair.b.start(isDTLSClient: false, remoteMaxMessageSize: 262_144, remoteInit: pair.a.localInit, at: start)
    let message = [UInt8](repeating: 5, count: size)
    var received = 0
    var packets = 0
    var now = start
    while (now - start).inSeconds < seconds {
      while pair.a.bufferedAmount(of: id) < 1_048_576 {
        // A fresh copy each, as an application's message would be.
        try pair.a.send(message.rawSpan, isText: false, on: id, at: now)
      }
      packets += try pair.carry(fromA: true, at: now)
      packets += try pair.carry(fromA: false, at: now)
      while let event = pair.b.nextEvent() {
        if case .message(_, let bytes, _) = event { received += bytes.count }
      }
      while pair.a.nextEvent() != nil {}
      now = MonotonicClock.now()
      if let timeout = pair.a.nextTimeout(), timeout <= now { pair.a.handleTimeout(at: now) }
      if let timeout = pair.b.nextTimeout(), timeout <= now { pair.b.handleTimeout(at: now) }
    }
    let elapsed = (now - start).inSeconds
    let rate = Double(received) / elapsed / 1e6
    let statistics = pair.a.statistics
    print(
      "\(throughDTLS ? "DTLS  " : "direct") \(size) B messages: \(decimal(rate)) MB/s on one core, "
        + "\(decimal(elapsed / Double(max(1, packets)) * 1e6)) µs a packet, "
        + "\(statistics.chunksRetransmitted) repeated, cwnd \(statistics.congestionWindow)")
  }

  /// One direction over a path with delay and random loss, in virtual time.
  private static func path(loss: Double, oneWayMilliseconds: Int64, target: Double) throws {
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
    print(
      "path of \(2 * oneWayMilliseconds) ms, loss \(decimal(loss * 100)) %: \(decimal(rate)) Mbit/s "
        + "(goal \(decimal(target))), cwnd \(pair.a.statistics.congestionWindow), "
        + "timeouts \(pair.a.statistics.timeouts)")
  }
}
