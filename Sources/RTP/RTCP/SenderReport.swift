import WireFormat

/// SR, packet type 200 (RFC 3550 section 6.4.1).
package struct SenderReport: Hashable, Sendable {
  package var ssrc: UInt32
  /// The moment of sending on the sender's wall clock.
  package var ntpTime: NTPTime
  /// The same moment on the stream's RTP clock.
  package var rtpTimestamp: UInt32
  package var packetCount: UInt32
  package var octetCount: UInt32
  /// At most 31.
  package var reports: [ReportBlock]

  package init(
    ssrc: UInt32, ntpTime: NTPTime, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32,
    reports: [ReportBlock] = []
  ) {
    self.ssrc = ssrc
    self.ntpTime = ntpTime
    self.rtpTimestamp = rtpTimestamp
    self.packetCount = packetCount
    self.octetCount = octetCount
    self.reports = reports
  }

  init(body: RawSpan, count: Int) throws(RTPError) {
    var reader = ByteReader(body)
    guard let ssrc = try? reader.uint32(), let ntp = try? reader.uint64(), let rtp = try? reader.uint32(),
      let packets = try? reader.uint32(), let octets = try? reader.uint32()
    else { throw .truncated }
    self.ssrc = ssrc
    ntpTime = NTPTime(rawValue: ntp)
    rtpTimestamp = rtp
    packetCount = packets
    octetCount = octets
    reports = try ReportBlock.list(reading: &reader, count: count)
  }

  func write(into writer: inout ByteWriter) {
    let blocks = reports.prefix(31)
    RTCPHeader.write(count: blocks.count, type: RTCPHeader.PacketType.senderReport, into: &writer) { writer in
      writer.write(ssrc)
      writer.write(ntpTime.rawValue)
      writer.write(rtpTimestamp)
      writer.write(packetCount)
      writer.write(octetCount)
      for block in blocks { block.write(into: &writer) }
    }
  }
}
