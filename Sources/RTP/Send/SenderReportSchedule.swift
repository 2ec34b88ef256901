import WireFormat

/// When sender reports are due, and what goes with them (RFC 3550 sections 6.2 to 6.6).
struct SenderReportSchedule {
  private static let interval = Interval.seconds(1)
  /// The first report follows the first packet soon, because the peer needs it to align audio and video.
  private static let first = Interval.milliseconds(100)

  private let canonicalName: String
  private var goodbyes: [UInt32] = []
  private(set) var due: Instant?

  init(canonicalName: String) {
    self.canonicalName = canonicalName
  }

  mutating func handleSent(at now: Instant) {
    if due == nil { due = now + SenderReportSchedule.first }
  }

  mutating func sayGoodbye(for sources: [UInt32], at now: Instant) {
    goodbyes.append(contentsOf: sources)
    due = now
  }

  /// The reports of `streams` as one compound, when they are due; empty otherwise.
  mutating func next(
    streams: [OutgoingStream], clock: WallClock, random: inout RandomSource, at now: Instant
  ) -> [RTCPPacket] {
    guard let due, now >= due else { return [] }
    // Spread, so that many clients do not report in step.
    self.due = now + SenderReportSchedule.interval * (0.8 + 0.4 * random.unit())
    let reports = streams.compactMap { $0.senderReport(at: now, clock: clock) }
    var packets = reports.map { RTCPPacket.senderReport($0) }
    if !reports.isEmpty {
      let chunks = reports.map {
        SourceDescription.Chunk(ssrc: $0.ssrc, canonicalName: canonicalName)
      }
      packets.append(.sourceDescription(SourceDescription(chunks: chunks)))
    }
    if let source = goodbyes.first {
      // A compound begins with a report, be it an empty one.
      if packets.isEmpty { packets.append(.receiverReport(ReceiverReport(ssrc: source))) }
      packets.append(.goodbye(Goodbye(sources: goodbyes)))
      goodbyes.removeAll()
    }
    return packets
  }
}
