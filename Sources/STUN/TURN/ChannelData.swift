import WireFormat

/// TURN's short framing for a peer that has a channel (RFC 8656 section 12.4): number, length, payload.
package enum ChannelData {
  package static let headerLength = 4
  /// RFC 8656 section 12 gives clients these numbers.
  package static let numbers: ClosedRange<UInt16> = 0x4000...0x4FFF

  /// Channel and payload's place in one datagram; nil when it is not ChannelData or is cut off.
  package static func parse(_ bytes: RawSpan) -> (channel: UInt16, payload: Range<Int>)? {
    var reader = ByteReader(bytes)
    guard let channel = try? reader.uint16(), let length = try? reader.uint16(),
      numbers.contains(channel), Int(length) <= reader.remaining
    else { return nil }
    return (channel, headerLength..<(headerLength + Int(length)))
  }

  /// The header with a length still to be set at offset 2.
  package static func headerTemplate(channel: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: channel &>> 8), UInt8(truncatingIfNeeded: channel), 0, 0]
  }
}
