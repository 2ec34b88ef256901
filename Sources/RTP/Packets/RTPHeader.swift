import WireFormat

/// The fixed RTP header and where the packet's other parts lie (RFC 3550 section 5.1, RFC 8285).
///
/// A parsed header holds offsets, not bytes: it stays valid as long as the packet's bytes do not move.
package struct RTPHeader: Hashable, Sendable {
  /// 7 bits.
  package var payloadType: UInt8
  package var marker: Bool
  package var sequenceNumber: UInt16
  package var timestamp: UInt32
  package var ssrc: UInt32

  /// How many contributing sources are listed; they lie at byte 12 and after.
  package private(set) var csrcCount = 0
  /// The extension block's "defined by profile" word; nil without an extension block.
  package private(set) var extensionProfile: UInt16?
  /// The extension elements, after the block's own four bytes; empty without a block.
  package private(set) var extensionRange: Range<Int> = 0..<0
  /// The payload, without padding. Empty for padding-only packets.
  package private(set) var payloadRange: Range<Int> = 0..<0
  /// Bytes of padding behind the payload, the count byte included.
  package private(set) var paddingCount = 0

  package static let fixedSize = 12

  /// A header to be written.
  package init(
    payloadType: UInt8, marker: Bool = false, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32
  ) {
    self.payloadType = payloadType
    self.marker = marker
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.ssrc = ssrc
  }

  /// Reads the header of `packet`.
  package init(parsing packet: RawSpan) throws(RTPError) {
    guard let first = packet.byte(at: 0) else { throw .truncated }
    guard first &>> 6 == 2 else { throw .unsupportedVersion(first &>> 6) }
    var reader = ByteReader(packet)
    do throws(WireError) {
      try reader.skip(1)
      let second = try reader.uint8()
      marker = second & 0x80 != 0
      payloadType = second & 0x7F
      sequenceNumber = try reader.uint16()
      timestamp = try reader.uint32()
      ssrc = try reader.uint32()
      csrcCount = Int(first & 0x0F)
      try reader.skip(csrcCount &* 4)
      if first & 0x10 != 0 {
        extensionProfile = try reader.uint16()
        let length = Int(try reader.uint16()) &* 4
        extensionRange = reader.offset..<(reader.offset &+ length)
        try reader.skip(length)
      }
    } catch {
      throw .truncated
    }
    if first & 0x20 != 0 {
      guard let count = packet.byte(at: packet.byteCount &- 1), count > 0, Int(count) <= reader.remaining
      else { throw .invalidPadding }
      paddingCount = Int(count)
    }
    payloadRange = reader.offset..<(packet.byteCount &- paddingCount)
  }

  /// The contributing sources of the packet this header was read from.
  package func contributingSources(in packet: RawSpan) -> [UInt32] {
    var reader = ByteReader(packet.clamped(12..<(12 &+ csrcCount &* 4)))
    var sources: [UInt32] = []
    while let source = try? reader.uint32() { sources.append(source) }
    return sources
  }

  /// Appends the header to an empty buffer, with the extension values that `map` has numbers for.
  ///
  /// The payload is appended after it by the caller.
  package func write(
    into packet: PacketBuffer, extensions: RTPExtensionValues = RTPExtensionValues(),
    map: HeaderExtensionMap = HeaderExtensionMap()
  ) throws(RTPError) {
    do {
      let start = packet.count
      try packet.append(UInt8(0x80))
      try packet.append(payloadType & 0x7F | (marker ? 0x80 : 0))
      try packet.append(sequenceNumber)
      try packet.append(timestamp)
      try packet.append(ssrc)
      if try extensions.write(into: packet, map: map) {
        packet.set(0x90 as UInt8, at: start)
      }
    } catch {
      throw .full
    }
  }

  /// Whether a datagram's second byte says RTCP rather than RTP (RFC 5761 section 4).
  package static func isRTCP(_ datagram: RawSpan) -> Bool {
    guard let second = datagram.byte(at: 1) else { return false }
    return second >= 192 && second <= 223
  }
}
