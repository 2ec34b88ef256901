import DTLS
import Testing
import TestSupport
import WireFormat

struct LossyHandshakeTests {
  private static func pair(
    seed: UInt64, loss: Double, roundTrip: Double = 30, disorder: Bool = true
  ) throws -> DTLSPair {
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.delayMilliseconds = roundTrip / 2
    conditions.loss = loss
    if disorder {
      conditions.jitterMilliseconds = 5
      conditions.reorder = 0.2
      conditions.reorderMilliseconds = 25
      conditions.duplication = 0.2
    }
    return DTLSPair(
      clientCertificate: try TestCertificate.client.get(),
      serverCertificate: try TestCertificate.server.get(),
      conditions: conditions, seed: seed)
  }

  /// How long a handshake takes on the virtual clock; records an issue when it fails.
  private static func connect(_ pair: DTLSPair, seed: UInt64, roundTrip: Double = 30) -> Double {
    let start = pair.now
    pair.start(roundTripTime: .milliseconds(roundTrip))
    pair.runUntilFinished()
    let client = pair.client.connection?.outboundSRTPKey?.array
    let server = pair.server.connection?.inboundSRTPKey?.array
    if client == nil || client != server {
      Issue.record(
        """
        seed \(seed): client \(pair.client.error.map { "\($0)" } ?? "no error"), \
        server \(pair.server.error.map { "\($0)" } ?? "no error"); \
        repeat with LossyHandshakeTests.connect(seed: \(seed))
        """)
    }
    return (pair.now - start).inMilliseconds
  }

  @Test func `1000 handshakes with 30 % loss, reordering and duplication all complete`() throws {
    for seed in 1...1000 as ClosedRange<UInt64> {
      let pair = try Self.pair(seed: seed, loss: 0.3)
      _ = Self.connect(pair, seed: seed)
    }
  }

  @Test func `a lost flight costs a round trip or two, not a second`() throws {
    var times: [Double] = []
    for seed in 1...1000 as ClosedRange<UInt64> {
      let pair = try Self.pair(seed: seed, loss: 0.05, disorder: false)
      times.append(Self.connect(pair, seed: seed))
    }
    times.sort()
    // 60 ms is two round trips without loss; the first retransmission comes after 60 ms more.
    #expect(times[499] == 60)
    #expect(times[899] <= 125)
    #expect(times[989] <= 250)
    #expect(times[999] <= 600)
  }

  @Test func `a seed gives the same handshake again, to the nanosecond`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let first = Self.connect(try Self.pair(seed: seed, loss: 0.3), seed: seed)
      let second = Self.connect(try Self.pair(seed: seed, loss: 0.3), seed: seed)
      #expect(first == second)
    }
  }

  @Test func `data flows after a handshake over a bad path`() throws {
    for seed in 1...50 as ClosedRange<UInt64> {
      let pair = try Self.pair(seed: seed, loss: 0.3)
      _ = Self.connect(pair, seed: seed)
      pair.toServer.conditions = .init()
      pair.toClient.conditions = .init()
      try pair.client.transport.send([1, 2], at: pair.now)
      try pair.server.transport.send([3, 4], at: pair.now)
      pair.settle()
      #expect(pair.server.messages.contains([1, 2]))
      #expect(pair.client.messages.contains([3, 4]))
    }
  }
}
