extension RawSpan {
  /// A copy of the bytes.
  package func copyBytes() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The bytes as text; what is not UTF-8 becomes U+FFFD. Up to 15 bytes of ASCII cost no allocation.
  package func decodedUTF8() -> String {
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The byte at `offset`, or nil when it lies outside.
  @inlinable package func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// The big-endian integer at `offset`, or nil when it does not lie inside as a whole.
  @inlinable package func uint16(at offset: Int) -> UInt16? {
    guard offset >= 0, offset <= byteCount &- 2 else { return nil }
    return UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
  }

  /// The big-endian integer at `offset`, or nil when it does not lie inside as a whole.
  @inlinable package func uint32(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= byteCount &- 4 else { return nil }
    return UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// The bytes `range`, cut down to those that exist.
  @_lifetime(copy self)
  package func clamped(_ range: Range<Int>) -> RawSpan {
    let lower = Swift.min(Swift.max(0, range.lowerBound), byteCount)
    let upper = Swift.min(Swift.max(lower, range.upperBound), byteCount)
    return unsafe extracting(unchecked: lower..<upper)
  }

  /// Whether both hold the same bytes. Not constant in time: never for secrets.
  package func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    for offset in 0..<byteCount where byte(at: offset) != other.byte(at: offset) { return false }
    return true
  }
}
