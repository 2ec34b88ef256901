import DTLS
import Media
import PeerConnection
import RTP
import SDP
import WireFormat

/// Two connections with their drivers, without codecs: encoded frames of any size go from one to the other.
enum DriverPair {
  /// One end, on the thread of its loop alone.
  private final class End: @unchecked Sendable {
    let loop: NetworkLoop
    private var driver: PeerConnectionDriver?
    let isConnected = Monitor(false)

    init(_ loop: NetworkLoop, role: NegotiationRole) async throws {
      self.loop = loop
      let certificate = try DTLSCertificate.generate()
      await onLoop { end in
        let connection = PeerConnection(
          configuration: PeerConnectionConfiguration(), role: role, certificate: certificate,
          pool: loop.context.pool, random: .system)
        var configuration = DriverConfiguration()
        configuration.includesLoopback = true
        end.driver = PeerConnectionDriver(connection: connection, loop: loop, configuration: configuration) {
          [isConnected = end.isConnected] event in
          guard case .stateChanged(.connected) = event else { return }
          isConnected.withLock { $0 = true }
          isConnected.notifyAll()
        }
        end.driver?.start(at: MonotonicClock.now())
        connection.gatherCandidates(servers: [], at: MonotonicClock.now())
      }
    }

    /// Runs `body` on the loop and waits for it.
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (End) -> Result) async -> Result {
      await withCheckedContinuation { continuation in
        loop.submit { continuation.resume(returning: body(self)) }
      }
    }

    func withConnection<Value: Sendable>(
      _ body: @escaping @Sendable (PeerConnection, Instant) throws -> Value
    ) async throws -> Value {
      try await onLoop { end -> Result<Value, any Error> in
        Result {
          guard let driver = end.driver else { throw PeerConnectionError.closed }
          return try body(driver.connection, MonotonicClock.now())
        }
      }.get()
    }

    func close() async {
      await onLoop { end in
        end.driver?.close(at: MonotonicClock.now())
        end.driver = nil
      }
    }
  }

  /// Frames of a hundred packets for a second and a half, as fast as the pacer lets them go.
  static func cost() async throws -> TransportBenchmark.Cost {
    let threads = try LiveThreads()
    let sender = try await End(threads.sending, role: .offerer)
    let receiver = try await End(threads.receiving, role: .answerer)
    let (offer, mid) = try await sender.withConnection { connection, now in
      let mid = connection.addTransceiver(.video, direction: .sendonly)
      connection.setBitrateBounds(
        minimum: 1_000_000_000, start: 1_000_000_000, maximum: 1_000_000_000, at: now)
      return (try connection.createOffer(at: now), mid)
    }
    let answer = try await receiver.withConnection { connection, now in
      try connection.answer(offer, at: now) { _, _ in .recvonly }
    }
    try await sender.withConnection { connection, now in try connection.setRemoteAnswer(answer, at: now) }
    for end in [sender, receiver] {
      end.isConnected.wait { $0 ? .done(()) : .sleep(until: .distantFuture) }
    }
    try await send(sender, mid, seconds: 0.5)
    let before = (threadTimes(), try await packets(sender, receiver))
    try await send(sender, mid, seconds: 1.5)
    let after = (threadTimes(), try await packets(sender, receiver))
    await sender.close()
    await receiver.close()
    threads.stop()
    func used(_ name: String) -> Double { (after.0[name] ?? 0) - (before.0[name] ?? 0) }
    return TransportBenchmark.Cost(
      send: used("bench-send") / Double(after.1.sent - before.1.sent),
      receive: used("bench-receive") / Double(after.1.received - before.1.received))
  }

  private static func send(_ sender: End, _ mid: String, seconds: Double) async throws {
    let begun = MonotonicClock.now()
    // The first one starts the stream, the others depend on it; nobody decodes them.
    var data = [UInt8](repeating: 0x11, count: 110_000)
    data.replaceSubrange(0..<10, with: [0x10, 0, 0, 0x9D, 0x01, 0x2A, 64, 0, 48, 0])
    var frame = EncodedVideoFrame(codec: .vp8, data: data, isKeyframe: true, rtpTimestamp: 0)
    while (MonotonicClock.now() - begun).inSeconds < seconds {
      frame.rtpTimestamp &+= 90
      let next = frame
      try await sender.withConnection { connection, now in connection.sendVideo(next, on: mid, at: now) }
    }
  }

  private static func packets(_ sender: End, _ receiver: End) async throws -> (sent: Int, received: Int) {
    let sent = try await sender.withConnection { connection, now in
      connection.statistics(at: now).media.outbound.reduce(0) { $0 + Int($1.counters.packetsSent) }
    }
    let received = try await receiver.withConnection { connection, now in
      connection.statistics(at: now).media.inbound.reduce(0) { $0 + $1.packetsReceived }
    }
    return (sent, received)
  }
}
