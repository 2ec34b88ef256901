import WireFormat

/// Maps a stream's RTP timestamps to its sender's wall clock, by its sender reports (RFC 3550 section 6.4.1).
///
/// Two streams of one sender are aligned by comparing the wall clock times of what is played.
package struct SenderReportClock: Sendable {
  private let clockRate: Int
  private var last: (ntp: NTPTime, timestamp: UInt32, arrival: Instant)?

  package init(clockRate: Int) {
    self.clockRate = max(1, clockRate)
  }

  /// The NTP time and arrival of the last report.
  package var lastReport: (ntp: NTPTime, arrival: Instant)? { last.map { ($0.ntp, $0.arrival) } }

  package mutating func handle(_ report: SenderReport, at now: Instant) {
    // Reordered reports must not turn the clock back.
    if let last, report.ntpTime < last.ntp, now - last.arrival < .seconds(60) { return }
    last = (report.ntpTime, report.rtpTimestamp, now)
  }

  /// The sender's wall clock at `rtpTimestamp`; nil before a report. Right within half the timestamp's wrap.
  package func ntpTime(rtpTimestamp: UInt32) -> NTPTime? {
    guard let last else { return nil }
    let ticks = Int64(rtpTimestamp.distance(from: last.timestamp))
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: Int64(clockRate))
    let fraction = (rest &<< 32) / Int64(clockRate)
    return NTPTime(rawValue: last.ntp.rawValue &+ UInt64(bitPattern: seconds &<< 32 &+ fraction))
  }

  /// A report block with the round-trip fields filled in.
  func reportBlock(
    ssrc: UInt32, numbers: (fractionLost: UInt8, cumulativeLost: Int32, highest: UInt32), jitter: UInt32,
    at now: Instant
  ) -> ReportBlock {
    var block = ReportBlock(
      ssrc: ssrc, fractionLost: numbers.fractionLost, cumulativeLost: numbers.cumulativeLost,
      highestSequence: numbers.highest, jitter: jitter)
    if let last {
      let held = min(max(0, (now - last.arrival).nanoseconds), 65_535_000_000_000)
      block.lastSenderReport = last.ntp.compact
      block.delaySinceLastSenderReport = UInt32(truncatingIfNeeded: held &* 65_536 / 1_000_000_000)
    }
    return block
  }
}
