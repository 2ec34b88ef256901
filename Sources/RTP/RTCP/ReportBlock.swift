import WireFormat

/// What a receiver says of one stream (RFC 3550 section 6.4.1).
package struct ReportBlock: Hashable, Sendable {
  package var ssrc: UInt32
  /// Share lost since the last report, in 256ths.
  package var fractionLost: UInt8
  /// Lost since the beginning, 24 bits, signed: duplicates make it fall.
  package var cumulativeLost: Int32
  /// The highest sequence number received, with its count of wraps in the upper 16 bits.
  package var highestSequence: UInt32
  /// Interarrival jitter in RTP clock units.
  package var jitter: UInt32
  /// The middle 32 bits of the last sender report's NTP time; 0 if none came.
  package var lastSenderReport: UInt32
  /// From that report's arrival to this one's sending, in 1/65536 s; 0 if none came.
  package var delaySinceLastSenderReport: UInt32

  package init(
    ssrc: UInt32, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, highestSequence: UInt32 = 0,
    jitter: UInt32 = 0, lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
  ) {
    self.ssrc = ssrc
    self.fractionLost = fractionLost
    self.cumulativeLost = cumulativeLost
    self.highestSequence = highestSequence
    self.jitter = jitter
    self.lastSenderReport = lastSenderReport
    self.delaySinceLastSenderReport = delaySinceLastSenderReport
  }

  /// The round trip that a report's sender can work out at `now` (RFC 3550 section 6.4.1); nil when the
  /// peer has not had a sender report yet, or its numbers make no sense.
  package func roundTripTime(at now: NTPTime) -> Interval? {
    guard lastSenderReport != 0 else { return nil }
    let units = now.compact &- lastSenderReport &- delaySinceLastSenderReport
    // A clock step or a liar gives a difference past half the circle: negative.
    guard units < 0x8000_0000 else { return nil }
    return NTPTime.interval(compact: units)
  }

  static let size = 24

  init(reading reader: inout ByteReader) throws(WireError) {
    ssrc = try reader.uint32()
    let loss = try reader.uint32()
    fractionLost = UInt8(truncatingIfNeeded: loss &>> 24)
    cumulativeLost = Int32(bitPattern: loss &<< 8) &>> 8
    highestSequence = try reader.uint32()
    jitter = try reader.uint32()
    lastSenderReport = try reader.uint32()
    delaySinceLastSenderReport = try reader.uint32()
  }

  func write(into writer: inout ByteWriter) {
    writer.write(ssrc)
    writer.write(fractionLost)
    writer.write24(UInt32(bitPattern: min(0x7F_FFFF, max(-0x80_0000, cumulativeLost))))
    writer.write(highestSequence)
    writer.write(jitter)
    writer.write(lastSenderReport)
    writer.write(delaySinceLastSenderReport)
  }

  /// Reads up to `count` (5 bits) blocks.
  static func list(reading reader: inout ByteReader, count: Int) throws(RTPError) -> [ReportBlock] {
    guard reader.remaining >= count &* size else { throw .truncated }
    var blocks: [ReportBlock] = []
    blocks.reserveCapacity(count)
    for _ in 0..<count {
      guard let block = try? ReportBlock(reading: &reader) else { throw .truncated }
      blocks.append(block)
    }
    return blocks
  }
}
