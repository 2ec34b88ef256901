import WireFormat

/// The RTCP packets of one datagram, compound (RFC 3550 section 6.1) or reduced-size (RFC 5506).
package struct RTCPCompound: Hashable, Sendable {
  package var packets: [RTCPPacket]
  /// Packets whose length was right and whose inside was not; they are left out of `packets`.
  package private(set) var malformedCount = 0

  package init(_ packets: [RTCPPacket] = []) {
    self.packets = packets
  }

  /// Reads a datagram. A packet that is malformed inside costs itself only; one whose header or length is
  /// wrong ends the reading, and is an error only if nothing was read before it.
  package init(parsing datagram: RawSpan) throws(RTPError) {
    packets = []
    var reader = ByteReader(datagram)
    var failure: RTPError?
    while !reader.isAtEnd {
      do throws(RTPError) {
        let header = try RTCPHeader(reading: &reader)
        guard let body = try? reader.bytes(header.bodyLength) else { throw RTPError.truncated }
        parse(header, try RTCPCompound.withoutPadding(body, header))
      } catch {
        failure = error
        malformedCount += 1
        break
      }
    }
    if packets.isEmpty, let failure { throw failure }
    if packets.isEmpty, malformedCount == 0 { throw .truncated }
  }

  /// The datagram's bytes, in the order of `packets`.
  ///
  /// A compound datagram begins with a sender or receiver report, followed by a source description: order
  /// and presence are the caller's affair, since reduced-size RTCP has neither.
  package func serialized() -> [UInt8] {
    var writer = ByteWriter(capacity: 256)
    for packet in packets { packet.write(into: &writer) }
    return writer.bytes
  }

  @_lifetime(copy body)
  private static func withoutPadding(_ body: RawSpan, _ header: RTCPHeader) throws(RTPError) -> RawSpan {
    guard header.hasPadding else { return body }
    guard let count = body.byte(at: body.byteCount &- 1), count > 0, Int(count) <= body.byteCount else {
      throw .invalidPadding
    }
    return body.clamped(0..<(body.byteCount &- Int(count)))
  }

  private mutating func parse(_ header: RTCPHeader, _ body: RawSpan) {
    do throws(RTPError) {
      packets.append(try RTCPCompound.packet(header, body))
    } catch {
      malformedCount += 1
    }
  }

  private static func packet(_ header: RTCPHeader, _ body: RawSpan) throws(RTPError) -> RTCPPacket {
    switch (header.type, header.count) {
    case (RTCPHeader.PacketType.senderReport, _):
      .senderReport(try SenderReport(body: body, count: Int(header.count)))
    case (RTCPHeader.PacketType.receiverReport, _):
      .receiverReport(try ReceiverReport(body: body, count: Int(header.count)))
    case (RTCPHeader.PacketType.sourceDescription, _):
      .sourceDescription(try SourceDescription(body: body, count: Int(header.count)))
    case (RTCPHeader.PacketType.goodbye, _): .goodbye(try Goodbye(body: body, count: Int(header.count)))
    case (RTCPHeader.PacketType.transportFeedback, GenericNACK.format): .nack(try GenericNACK(body: body))
    case (RTCPHeader.PacketType.transportFeedback, TransportFeedback.format):
      .transportFeedback(try TransportFeedback(body: body))
    case (RTCPHeader.PacketType.payloadFeedback, PictureLossIndication.format):
      .pictureLossIndication(try PictureLossIndication(body: body))
    case (RTCPHeader.PacketType.payloadFeedback, FullIntraRequest.format):
      .fullIntraRequest(try FullIntraRequest(body: body))
    case (RTCPHeader.PacketType.payloadFeedback, ReceiverEstimatedMaximumBitrate.format):
      try ReceiverEstimatedMaximumBitrate.packet(body: body)
    default: .unknown(type: header.type, format: header.count)
    }
  }
}
