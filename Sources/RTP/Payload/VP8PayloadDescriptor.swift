import WireFormat

/// The bytes in front of each packet's share of a VP8 frame (RFC 7741 section 4.2).
package struct VP8PayloadDescriptor: Hashable, Sendable {
  /// No later frame depends on this one (N).
  package var isNonReference = false
  /// The packet begins a partition (S); with `partitionIndex` 0, the frame.
  package var startsPartition = false
  /// 3 bits.
  package var partitionIndex: UInt8 = 0
  package var pictureID: PictureID?
  /// Counts temporal base layer frames.
  package var baseLayerIndex: UInt8?
  /// 2 bits; nil without the T bit.
  package var temporalID: UInt8?
  /// The frame depends on base layer frames only (Y); means something beside `temporalID` alone.
  package var isLayerSync = false
  /// 5 bits; nil without the K bit.
  package var keyIndex: UInt8?

  package init() {}

  /// Reads the descriptor and leaves `payload` at the VP8 bitstream, which is not empty.
  package init(reading payload: inout ByteReader) throws(RTPError) {
    do {
      let first = try payload.uint8()
      isNonReference = first & 0x20 != 0
      startsPartition = first & 0x10 != 0
      partitionIndex = first & 0x07
      if first & 0x80 != 0 {
        let present = try payload.uint8()
        if present & 0x80 != 0 { pictureID = try PictureID(reading: &payload) }
        if present & 0x40 != 0 { baseLayerIndex = try payload.uint8() }
        // One octet holds both T's and K's values; it is there if either bit is set.
        if present & 0x30 != 0 {
          let octet = try payload.uint8()
          if present & 0x20 != 0 {
            temporalID = octet &>> 6
            isLayerSync = octet & 0x20 != 0
          }
          if present & 0x10 != 0 { keyIndex = octet & 0x1F }
        }
      }
    } catch {
      throw .truncated
    }
    if payload.isAtEnd { throw .emptyPayload }
  }

  package var beginsFrame: Bool { startsPartition && partitionIndex == 0 }

  package var encodedSize: Int {
    guard hasExtension else { return 1 }
    return 2 + (pictureID?.encodedSize ?? 0) + (baseLayerIndex == nil ? 0 : 1)
      + (temporalID == nil && keyIndex == nil ? 0 : 1)
  }

  private var hasExtension: Bool {
    pictureID != nil || baseLayerIndex != nil || temporalID != nil || keyIndex != nil
  }

  package func write(into packet: PacketBuffer) throws(WireError) {
    let flags: UInt8 = (isNonReference ? 0x20 : 0) | (startsPartition ? 0x10 : 0) | partitionIndex & 7
    guard hasExtension else { return try packet.append(flags) }
    try packet.append(flags | 0x80)
    var present: UInt8 = pictureID == nil ? 0 : 0x80
    if baseLayerIndex != nil { present |= 0x40 }
    if temporalID != nil { present |= 0x20 }
    if keyIndex != nil { present |= 0x10 }
    try packet.append(present)
    try pictureID?.write(into: packet)
    if let baseLayerIndex { try packet.append(baseLayerIndex) }
    if temporalID != nil || keyIndex != nil {
      let layer = (temporalID ?? 0) & 3
      try packet.append(layer &<< 6 | (isLayerSync ? 0x20 : 0) | (keyIndex ?? 0) & 0x1F)
    }
  }
}
