import WireFormat

/// What an Opus packet's first bytes say (RFC 6716 section 3; RFC 7587).
package struct OpusPacket: Hashable, Sendable {
  /// Samples at 48 kHz, of all frames together; 120 ms (5760) at most.
  package let sampleCount: Int
  package let isStereo: Bool
  /// The encoder's voice part carries a copy of the frame before (in-band FEC).
  package let hasForwardErrorCorrection: Bool
  /// Nothing but the table of contents: the talker is silent (DTX).
  package let isDiscontinuous: Bool

  package static let clockRate = 48_000

  package init(parsing payload: RawSpan) throws(RTPError) {
    var reader = ByteReader(payload)
    guard let toc = try? reader.uint8() else { throw .emptyPayload }
    let configuration = toc &>> 3
    isStereo = toc & 4 != 0
    let frameSamples = OpusPacket.frameSamples(configuration)
    let frameCount: Int
    switch toc & 3 {
    case 0: frameCount = 1
    case 1: frameCount = 2
    case 2:
      frameCount = 2
      try OpusPacket.skipLength(&reader)
    default:
      guard let octet = try? reader.uint8() else { throw .truncated }
      frameCount = Int(octet & 0x3F)
      guard frameCount > 0 else { throw .malformed }
      if octet & 0x40 != 0 { try OpusPacket.skipPaddingLength(&reader) }
      if octet & 0x80 != 0 {
        for _ in 1..<frameCount { try OpusPacket.skipLength(&reader) }
      }
    }
    sampleCount = frameSamples * frameCount
    guard sampleCount <= 5760 else { throw .malformed }
    isDiscontinuous = payload.byteCount <= 2
    // Configurations from 16 on are CELT alone, which has no such copy.
    if configuration < 16, let first = reader.peek() {
      let silkFrames = max(1, frameSamples / 960)
      var flags = first &>> UInt8(truncatingIfNeeded: 7 - silkFrames) & 1
      if isStereo { flags |= first &>> UInt8(truncatingIfNeeded: max(0, 6 - 2 * silkFrames)) & 1 }
      hasForwardErrorCorrection = flags != 0
    } else {
      hasForwardErrorCorrection = false
    }
  }

  private static func frameSamples(_ configuration: UInt8) -> Int {
    switch configuration {
    case 0..<12: [480, 960, 1920, 2880][Int(configuration & 3)]
    case 12..<16: configuration & 1 == 0 ? 480 : 960
    default: 120 &<< Int(configuration & 3)
    }
  }

  private static func skipLength(_ reader: inout ByteReader) throws(RTPError) {
    guard let first = try? reader.uint8() else { throw .truncated }
    if first >= 252, (try? reader.skip(1)) == nil { throw .truncated }
  }

  private static func skipPaddingLength(_ reader: inout ByteReader) throws(RTPError) {
    while true {
      guard let octet = try? reader.uint8() else { throw .truncated }
      if octet != 255 { return }
    }
  }
}
