/// Reads bits, most significant first, from bytes that nobody vouches for.
@usableFromInline package struct BitReader: ~Escapable {
  @usableFromInline package let span: RawSpan
  @usableFromInline package var bitPosition: Int

  @_lifetime(copy span)
  @inlinable package init(_ span: RawSpan) {
    self.span = span
    bitPosition = 0
  }

  @inlinable package var remainingBits: Int { span.byteCount &* 8 &- bitPosition }

  /// The next `count` bits (0 to 32) as an unsigned number.
  @inlinable package mutating func bits(_ count: Int) throws(WireError) -> UInt32 {
    guard count >= 0, count <= 32, count <= remainingBits else {
      throw .truncated(needed: (count &+ 7) / 8, available: remainingBits / 8)
    }
    var value: UInt32 = 0
    for _ in 0..<count {
      let byte = unsafe span.unsafeLoad(fromUncheckedByteOffset: bitPosition / 8, as: UInt8.self)
      let bit = byte &>> UInt8(7 &- bitPosition % 8) & 1
      value = value &<< 1 | UInt32(bit)
      bitPosition &+= 1
    }
    return value
  }

  @inlinable package mutating func flag() throws(WireError) -> Bool {
    try bits(1) != 0
  }
}
