extension RawSpan {
  /// A copy of the bytes.
  package func copyBytes() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The byte at `offset`, or nil when it lies outside.
  @inlinable package func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
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
