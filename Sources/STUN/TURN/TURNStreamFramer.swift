import WireFormat

/// Cuts a TCP or TLS stream into STUN messages and ChannelData (RFC 8656 section 12.5), however the bytes
/// arrive.
///
/// It holds at most one unfinished frame, that is ``maximumFrame`` bytes. A stream that goes wrong stays
/// wrong: there is no place in it to start again.
package struct TURNStreamFramer: Sendable {
  /// Length fields have 16 bits; a header of 20 and padding of 3 come on top.
  package static let maximumFrame = 65_535 + 20 + 3

  private var buffer: [UInt8] = []
  private var position = 0
  /// Whether the stream carried something that is neither STUN nor ChannelData.
  package private(set) var isBroken = false

  package init() {}

  package mutating func append(_ bytes: RawSpan) {
    guard !isBroken else { return }
    if position > 0 {
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes.copyBytes())
  }

  /// The next whole frame, padding left out; nil until more bytes come.
  package mutating func next() -> [UInt8]? {
    guard !isBroken else { return nil }
    var reader = ByteReader(buffer.rawSpan)
    guard (try? reader.skip(position)) != nil, let type = try? reader.uint16(),
      let length = try? reader.uint16()
    else { return nil }
    let frame: Int
    let padded: Int
    switch type {
    case 0..<0x4000:
      guard length & 3 == 0 else { return fail() }
      if let cookie = try? reader.uint32(), cookie != STUNHeader.magicCookie { return fail() }
      frame = STUNHeader.length + Int(length)
      padded = frame
    case ChannelData.numbers:
      frame = ChannelData.headerLength + Int(length)
      padded = frame + (-frame & 3)
    default: return fail()
    }
    guard buffer.count - position >= padded else { return nil }
    let result = Array(buffer[position..<(position + frame)])
    position += padded
    return result
  }

  private mutating func fail() -> [UInt8]? {
    isBroken = true
    buffer = []
    position = 0
    return nil
  }
}
