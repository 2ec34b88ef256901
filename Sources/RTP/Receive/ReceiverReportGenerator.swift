import WireFormat

/// When receiver reports go out, and what stands in them (RFC 3550 section 6.2 to 6.4).
///
/// A connection that sends media too puts the blocks into its sender reports instead, and tells this one with
/// ``reported(at:)``.
package struct ReceiverReportGenerator: Sendable {
  package let localSSRC: UInt32
  package let canonicalName: String
  private var random: RandomSource
  private var due: Instant?

  /// The mean; each interval is 0.5 to 1.5 times as long, so that streams don't fall into step.
  private static let interval = Interval.seconds(1)

  package init(localSSRC: UInt32, canonicalName: String, random: RandomSource) {
    self.localSSRC = localSSRC
    self.canonicalName = canonicalName
    self.random = random
  }

  /// nil before ``start(at:)``.
  package var nextTimeout: Instant? { due }

  /// Media flows: the first report goes out after half an interval or more.
  package mutating func start(at now: Instant) {
    if due == nil { schedule(now) }
  }

  package func isDue(at now: Instant) -> Bool {
    due.map { $0 <= now } ?? false
  }

  /// The blocks went out in another packet: the next report is an interval away.
  package mutating func reported(at now: Instant) {
    schedule(now)
  }

  /// A compound's packets: receiver reports with all `blocks` (31 each; an empty one if there are none), and
  /// our canonical name.
  package mutating func report(_ blocks: [ReportBlock], at now: Instant) -> [RTCPPacket] {
    schedule(now)
    var packets: [RTCPPacket] = []
    var rest = blocks[...]
    repeat {
      packets.append(.receiverReport(ReceiverReport(ssrc: localSSRC, reports: Array(rest.prefix(31)))))
      rest = rest.dropFirst(31)
    } while !rest.isEmpty
    packets.append(
      .sourceDescription(
        SourceDescription(chunks: [.init(ssrc: localSSRC, canonicalName: canonicalName)])))
    return packets
  }

  private mutating func schedule(_ now: Instant) {
    due = now + ReceiverReportGenerator.interval * (0.5 + random.unit())
  }
}
