/// Why bytes could not be read or written.
@usableFromInline package enum WireError: Error, Hashable, Sendable {
  /// `needed` more bytes were asked for than the `available` ones.
  case truncated(needed: Int, available: Int)
  /// A variable-length integer ran over its limit (10 bytes, or 64 bits).
  case varintTooLong
  /// A write did not fit in the buffer's fixed `capacity`.
  case full(capacity: Int)
}
