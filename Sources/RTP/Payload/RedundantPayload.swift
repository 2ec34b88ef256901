import WireFormat

/// The blocks of a RED payload: older ones repeated, then the primary one (RFC 2198 section 3).
package struct RedundantPayload: Hashable, Sendable {
  package struct Block: Hashable, Sendable {
    package let payloadType: UInt8
    /// How much older than the packet's timestamp it is; 0 for the primary block.
    package let timestampOffset: UInt32
    /// Offsets into the payload.
    package let range: Range<Int>

    package init(payloadType: UInt8, timestampOffset: UInt32, range: Range<Int>) {
      self.payloadType = payloadType
      self.timestampOffset = timestampOffset
      self.range = range
    }
  }

  package let primary: Block
  /// Oldest first, as they come; at most ``maximumRedundantBlocks``.
  package private(set) var redundant: [Block] = []

  package static let maximumRedundantBlocks = 32

  package init(parsing payload: RawSpan) throws(RTPError) {
    var reader = ByteReader(payload)
    var pending: [(payloadType: UInt8, offset: UInt32, length: Int)] = []
    var primaryType: UInt8 = 0
    do {
      while true {
        let first = try reader.uint8()
        guard first & 0x80 != 0 else {
          primaryType = first
          break
        }
        guard pending.count < RedundantPayload.maximumRedundantBlocks else { throw RTPError.malformed }
        let packed = try reader.uint24()
        pending.append((first & 0x7F, packed &>> 10, Int(packed & 0x3FF)))
      }
      for block in pending {
        let start = reader.offset
        try reader.skip(block.length)
        redundant.append(
          Block(
            payloadType: block.payloadType, timestampOffset: block.offset,
            range: start..<(start &+ block.length)))
      }
    } catch let error as RTPError {
      throw error
    } catch {
      throw .truncated
    }
    primary = Block(
      payloadType: primaryType, timestampOffset: 0, range: reader.offset..<payload.byteCount)
  }

  /// Turns a received RED packet into the packet of its primary block, in place, and returns its header; nil
  /// when the primary block is empty. Redundant blocks are dropped.
  package static func unwrap(_ packet: PacketBuffer, header: RTPHeader) throws(RTPError) -> RTPHeader? {
    let payload = try RedundantPayload(parsing: packet.bytes.clamped(header.payloadRange))
    guard !payload.primary.range.isEmpty else { return nil }
    packet.closeGap(of: payload.primary.range.lowerBound, at: header.payloadRange.lowerBound)
    packet.set(payload.primary.payloadType & 0x7F | (header.marker ? 0x80 : 0), at: 1)
    return try RTPHeader(parsing: packet.bytes)
  }
}
