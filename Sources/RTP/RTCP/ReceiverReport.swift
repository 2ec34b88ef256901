import WireFormat

/// RR, packet type 201 (RFC 3550 section 6.4.2).
package struct ReceiverReport: Hashable, Sendable {
  package var ssrc: UInt32
  /// At most 31.
  package var reports: [ReportBlock]

  package init(ssrc: UInt32, reports: [ReportBlock] = []) {
    self.ssrc = ssrc
    self.reports = reports
  }

  init(body: RawSpan, count: Int) throws(RTPError) {
    var reader = ByteReader(body)
    guard let ssrc = try? reader.uint32() else { throw .truncated }
    self.ssrc = ssrc
    reports = try ReportBlock.list(reading: &reader, count: count)
  }

  func write(into writer: inout ByteWriter) {
    let blocks = reports.prefix(31)
    RTCPHeader.write(count: blocks.count, type: RTCPHeader.PacketType.receiverReport, into: &writer) {
      writer in
      writer.write(ssrc)
      for block in blocks { block.write(into: &writer) }
    }
  }
}
