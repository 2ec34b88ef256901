import WireFormat

/// Send and Data indications (RFC 8656 sections 11.1 and 11.4), read and written without copying the payload.
package enum TURNIndication {
  /// Peer and payload's place of a Data indication; nil for any other message or one without both.
  package static func parseData(_ bytes: RawSpan) -> (peer: SocketAddress, payload: Range<Int>)? {
    guard let header = try? STUNHeader(bytes), header.messageClass == .indication, header.method == .data,
      header.attributesLength <= bytes.byteCount - STUNHeader.length
    else { return nil }
    var reader = ByteReader(bytes.clamped(0..<(STUNHeader.length + header.attributesLength)))
    var peer: SocketAddress?
    var payload: Range<Int>?
    do throws(WireError) {
      try reader.skip(STUNHeader.length)
      while !reader.isAtEnd {
        let type = try reader.uint16()
        let length = Int(try reader.uint16())
        let start = reader.offset
        let value = try reader.bytes(length)
        try reader.skip(-length & 3)
        switch type {
        case STUNAttributeType.data where payload == nil: payload = start..<(start + length)
        case STUNAttributeType.xorPeerAddress where peer == nil:
          peer = try STUNAttribute.address(value, xor: header.transactionID)
        case STUNAttributeType.data, STUNAttributeType.xorPeerAddress: break
        case 0..<0x8000: return nil
        default: break
        }
      }
    } catch {
      return nil
    }
    guard let peer, let payload else { return nil }
    return (peer, payload)
  }

  /// Everything of a Send indication to `peer` up to the payload. Message length (offset 2) and payload
  /// length (the last two bytes) are still to be set, see ``setLengths(of:template:)``.
  package static func sendTemplate(to peer: SocketAddress, transactionID: STUNTransactionID) -> [UInt8] {
    var message = STUNMessage(.indication, .send, transactionID: transactionID)
    message.attributes = [.xorPeerAddress(peer), .data([])]
    return message.encoded(fingerprint: false)
  }

  /// Puts a Send indication's head in front of the payload of `packet` and pads it.
  package static func wrap(_ packet: PacketBuffer, template: [UInt8]) throws(WireError) {
    let length = packet.count
    try packet.appendZeros(-length & 3)
    try packet.prepend(template)
    packet.set(UInt16(truncatingIfNeeded: packet.count - STUNHeader.length), at: 2)
    packet.set(UInt16(truncatingIfNeeded: length), at: template.count - 2)
  }

  /// The same for a message that is built now and then.
  package static func wrap(_ payload: [UInt8], template: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: template.count + payload.count + 3)
    writer.write(template)
    writer.write(payload)
    writer.writeZeros(-payload.count & 3)
    writer.set(UInt16(truncatingIfNeeded: writer.count - STUNHeader.length), at: 2)
    writer.set(UInt16(truncatingIfNeeded: payload.count), at: template.count - 2)
    return writer.bytes
  }
}
