/// Reads big-endian (network order) integers and slices from bytes that nobody vouches for.
///
/// No read can trap: one that goes past the end throws ``WireError`` and leaves the position where it was.
@usableFromInline package struct ByteReader: ~Escapable {
  @usableFromInline package let span: RawSpan
  @usableFromInline package var position: Int

  @_lifetime(copy span)
  @inlinable package init(_ span: RawSpan) {
    self.span = span
    position = 0
  }

  /// How many bytes are left.
  @inlinable package var remaining: Int { span.byteCount &- position }

  /// How many bytes were read.
  @inlinable package var offset: Int { position }

  /// Whether nothing is left.
  @inlinable package var isAtEnd: Bool { position >= span.byteCount }

  @inlinable package mutating func uint8() throws(WireError) -> UInt8 {
    let at = try advance(by: 1)
    return load8(at)
  }

  @inlinable package mutating func uint16() throws(WireError) -> UInt16 {
    let at = try advance(by: 2)
    return UInt16(load8(at)) &<< 8 | UInt16(load8(at &+ 1))
  }

  @inlinable package mutating func uint24() throws(WireError) -> UInt32 {
    let at = try advance(by: 3)
    return UInt32(load8(at)) &<< 16 | UInt32(load8(at &+ 1)) &<< 8 | UInt32(load8(at &+ 2))
  }

  @inlinable package mutating func uint32() throws(WireError) -> UInt32 {
    let at = try advance(by: 4)
    return UInt32(bigEndian: unsafe span.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt32.self))
  }

  @inlinable package mutating func uint64() throws(WireError) -> UInt64 {
    let at = try advance(by: 8)
    return UInt64(bigEndian: unsafe span.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self))
  }

  /// Little-endian, as the platform's frame-metadata trailer and protobuf's fixed fields use it.
  @inlinable package mutating func uint32LittleEndian() throws(WireError) -> UInt32 {
    try uint32().byteSwapped
  }

  /// Little-endian, as protobuf's `double` uses it.
  @inlinable package mutating func uint64LittleEndian() throws(WireError) -> UInt64 {
    try uint64().byteSwapped
  }

  /// A base-128 integer, least significant group first (protobuf), of at most 10 bytes and 64 bits.
  @inlinable package mutating func varint() throws(WireError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < span.byteCount else {
        let available = span.byteCount &- start
        position = start
        throw .truncated(needed: available &+ 1, available: available)
      }
      let byte = load8(position)
      position &+= 1
      if shift == 63, byte > 1 {
        position = start
        throw .varintTooLong
      }
      value |= UInt64(byte & 0x7F) &<< shift
      if byte & 0x80 == 0 { return value }
      shift &+= 7
    }
  }

  /// The next `count` bytes, without copying them.
  @_lifetime(copy self)
  @inlinable package mutating func bytes(_ count: Int) throws(WireError) -> RawSpan {
    let at = try advance(by: count)
    return unsafe span.extracting(unchecked: at..<(at &+ count))
  }

  /// All bytes that are left, without copying them.
  @_lifetime(copy self)
  @inlinable package mutating func rest() -> RawSpan {
    let at = position
    position = span.byteCount
    return unsafe span.extracting(unchecked: at..<span.byteCount)
  }

  @inlinable package mutating func skip(_ count: Int) throws(WireError) {
    _ = try advance(by: count)
  }

  /// The byte `ahead` of the position, or nil past the end. Reads nothing.
  @inlinable package func peek(_ ahead: Int = 0) -> UInt8? {
    guard ahead >= 0, ahead < remaining else { return nil }
    return load8(position &+ ahead)
  }

  // The one bounds check that every read goes through: all unchecked loads above rely on it.
  @inlinable package mutating func advance(by count: Int) throws(WireError) -> Int {
    guard count >= 0, count <= remaining else {
      throw .truncated(needed: count, available: remaining)
    }
    let at = position
    position &+= count
    return at
  }

  @inlinable package func load8(_ at: Int) -> UInt8 {
    unsafe span.unsafeLoad(fromUncheckedByteOffset: at, as: UInt8.self)
  }
}
