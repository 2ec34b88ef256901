/// The start of a VP9 frame's uncompressed header (VP9 bitstream specification, section 6.2), as far as the
/// picture's size: what has to be known before the frame is decoded.
package struct VP9FrameHeader: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case key
    case intraOnly
    case inter
    /// Shows an earlier frame again; carries no picture of its own.
    case showExisting
  }

  package var kind: Kind
  package var profile: Int
  /// Where the header carries a size; nil where the size is that of a reference frame.
  package var width: Int?
  package var height: Int?

  /// - Throws: `corrupt` when the bytes cannot be the start of a VP9 frame.
  package init(_ data: UnsafeRawBufferPointer) throws(CodecError) {
    var bits = Bits(data: data)
    guard try bits.read(2) == 2 else { throw .corrupt("VP9 frame marker") }
    let low = try bits.read(1)
    profile = try bits.read(1) << 1 | low
    if profile == 3, try bits.read(1) != 0 { throw .corrupt("VP9 reserved bit") }
    if try bits.read(1) == 1 {
      kind = .showExisting
      return
    }
    let isInter = try bits.read(1) == 1
    let isShown = try bits.read(1) == 1
    let isErrorResilient = try bits.read(1) == 1
    if !isInter {
      kind = .key
      try Self.readSyncCode(&bits)
      try Self.skipColourConfiguration(&bits, profile: profile)
      try readSize(&bits)
      return
    }
    let isIntraOnly = isShown ? false : try bits.read(1) == 1
    if !isErrorResilient { _ = try bits.read(2) }
    if isIntraOnly {
      kind = .intraOnly
      try Self.readSyncCode(&bits)
      if profile > 0 { try Self.skipColourConfiguration(&bits, profile: profile) }
      _ = try bits.read(8)
      try readSize(&bits)
      return
    }
    kind = .inter
    _ = try bits.read(8)
    for _ in 0..<3 { _ = try bits.read(4) }
    for _ in 0..<3 where try bits.read(1) == 1 { return }
    try readSize(&bits)
  }

  private mutating func readSize(_ bits: inout Bits) throws(CodecError) {
    width = try bits.read(16) + 1
    height = try bits.read(16) + 1
  }

  private static func readSyncCode(_ bits: inout Bits) throws(CodecError) {
    guard try bits.read(24) == 0x498342 else { throw .corrupt("VP9 sync code") }
  }

  private static func skipColourConfiguration(_ bits: inout Bits, profile: Int) throws(CodecError) {
    if profile >= 2 { _ = try bits.read(1) }
    let colourSpace = try bits.read(3)
    if colourSpace != 7 {
      _ = try bits.read(1)
      if profile == 1 || profile == 3 { _ = try bits.read(3) }
    } else if profile == 1 || profile == 3 {
      _ = try bits.read(1)
    }
  }

  private struct Bits {
    let data: UnsafeRawBufferPointer
    var position = 0

    mutating func read(_ count: Int) throws(CodecError) -> Int {
      guard count <= data.count * 8 - position else { throw .corrupt("VP9 header cut short") }
      var value = 0
      for _ in 0..<count {
        value = value << 1 | Int(data[position >> 3] >> UInt8(7 - position & 7)) & 1
        position += 1
      }
      return value
    }
  }
}
