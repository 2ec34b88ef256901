import Foundation
import SCTP
import Testing
import TestSupport
import WireFormat

/// Bulk both ways over bad links on the virtual clock.
struct SimulationTests {
  struct Link: CustomTestStringConvertible, Sendable {
    var loss: Double
    var delay: Double
    var reorder: Double
    var duplication: Double

    var testDescription: String {
      "loss \(loss), \(delay) ms, reorder \(reorder), duplication \(duplication)"
    }

    var conditions: LinkEmulator<[UInt8]>.Conditions {
      var conditions = LinkEmulator<[UInt8]>.Conditions()
      conditions.loss = loss
      conditions.delayMilliseconds = delay
      conditions.reorder = reorder
      conditions.duplication = duplication
      // No link is infinitely fast; without a rate a delay of 0 would have no time pass at all.
      conditions.bitsPerSecond = 50e6
      conditions.queueBytes = 256 * 1024
      return conditions
    }

    /// The least throughput in bits a second that each direction has to reach: a loss-based window model with
    /// our response (growth of one packet a round, at most 20 % taken back), which allows for about
    /// `0.5 / loss` packets in flight, and never less than two.
    var bound: Double {
      let roundTrip = max(2 * delay / 1000, 0.005)
      let packets = loss == 0 ? 1000 : min(1000, max(2, 0.5 / loss))
      let model = packets * 1100 * 8 / roundTrip
      // Slow start over 10 MiB from 10 packets takes some ten rounds; timers at 20 % loss take their share.
      return min(50e6, model) * (loss >= 0.2 ? 0.1 : 0.2)
    }
  }

  static let matrix: [Link] = [0, 0.01, 0.05, 0.2].flatMap { loss in
    [0.0, 50, 200].flatMap { delay in
      [0.0, 0.02].flatMap { reorder in
        [0.0, 0.02].map { Link(loss: loss, delay: delay, reorder: reorder, duplication: $0) }
      }
    }
  }

  private static let messageCount = 160
  /// All 50 take minutes: `REACTOR_SIMULATION_SEEDS=50 swift test -c release --filter SimulationTests`.
  private static let seeds =
    ProcessInfo.processInfo.environment["REACTOR_SIMULATION_SEEDS"].flatMap { UInt64($0) } ?? 3
  private static let message = pattern(65_536)

  @Test(arguments: matrix)
  func `10 MiB both ways arrive intact and in time`(link: Link) throws {
    for seed in 1...Self.seeds {
      let peers = TwoTransports(link.conditions, seed: seed)
      peers.keepsEvents = false
      var toA = 0
      var toB = 0
      var isIntact = true
      var began: Instant?
      var ended: Instant?
      peers.onEvent = { peers, isA, event in
        switch event {
        case .channelOpened(let channel):
          if began == nil { began = peers.now }
          let transport = isA ? peers.a : peers.b
          for number in 0..<Self.messageCount {
            var bytes = Self.message
            bytes[0] = UInt8(number)
            do {
              try transport.send(bytes, isText: false, on: channel.id, at: peers.now)
            } catch {
              isIntact = false
            }
          }
        case .message(_, let bytes, _):
          let number = isA ? toA : toB
          isIntact =
            isIntact && bytes.count == 65_536 && bytes[0] == UInt8(number)
            && bytes.dropFirst() == Self.message.dropFirst()
          if isA { toA += 1 } else { toB += 1 }
          if toA == Self.messageCount, toB == Self.messageCount { ended = peers.now }
        default: break
        }
      }
      _ = try peers.a.open(label: "bulk", at: peers.now)
      peers.start()
      try #require(peers.run(until: .seconds(Int64(36_000))) { _ in ended != nil }, "seed \(seed)")
      #expect(isIntact, "seed \(seed)")
      let elapsed = try #require(ended) - (try #require(began))
      let throughput = Double(Self.messageCount * 65_536 * 8) / elapsed.inSeconds
      #expect(throughput >= link.bound, "seed \(seed): \(throughput) of \(link.bound) bit/s")
    }
  }
}
