import WireFormat

/// Retransmission payloads: the original sequence number, then the original payload (RFC 4588 section 4).
package enum RTX {
  /// Appends the RTX form of a sent packet to an empty buffer: header and extension block as they were, with
  /// the retransmission stream's own type, number and SSRC, and without padding.
  package static func wrap(
    _ original: RawSpan, header: RTPHeader, payloadType: UInt8, sequenceNumber: UInt16, ssrc: UInt32,
    into packet: PacketBuffer
  ) throws(RTPError) {
    do {
      let start = packet.count
      try packet.append(original.clamped(0..<header.payloadRange.lowerBound))
      try packet.append(header.sequenceNumber)
      try packet.append(original.clamped(header.payloadRange))
      if let first = original.byte(at: 0) { packet.set(first & ~0x20, at: start) }
      packet.set(payloadType & 0x7F | (header.marker ? 0x80 : 0), at: start + 1)
      packet.set(sequenceNumber, at: start + 2)
      packet.set(ssrc, at: start + 8)
    } catch {
      throw .full
    }
  }

  /// Turns a received RTX packet back into the original, in place, and returns its header; nil for a packet
  /// without original, which is padding.
  package static func unwrap(
    _ packet: PacketBuffer, header: RTPHeader, payloadType: UInt8, ssrc: UInt32
  ) throws(RTPError) -> RTPHeader? {
    guard header.payloadRange.count >= 2 else { return nil }
    var reader = ByteReader(packet.bytes.clamped(header.payloadRange))
    guard let sequenceNumber = try? reader.uint16() else { throw .truncated }
    packet.closeGap(of: 2, at: header.payloadRange.lowerBound)
    packet.set(payloadType & 0x7F | (header.marker ? 0x80 : 0), at: 1)
    packet.set(sequenceNumber, at: 2)
    packet.set(ssrc, at: 8)
    return try RTPHeader(parsing: packet.bytes)
  }
}

extension PacketBuffer {
  /// Removes `count` bytes at `offset` by moving what lies before them: a header, which is short.
  func closeGap(of count: Int, at offset: Int) {
    var position = offset
    while position > 0 {
      position -= 1
      guard let byte = bytes.byte(at: position) else { break }
      set(byte, at: position + count)
    }
    dropFirst(count)
  }
}
