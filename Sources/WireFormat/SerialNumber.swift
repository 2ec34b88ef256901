/// Serial-number arithmetic (RFC 1982): numbers that wrap compare by the shorter way round.
extension UInt16 {
  /// Whether this number comes after `other`. Exactly half the circle apart counts as not newer.
  @inlinable package func isNewer(than other: UInt16) -> Bool {
    let distance = self &- other
    return distance != 0 && distance < 0x8000
  }

  /// Steps forward from `other` to this number; negative when it lies behind.
  @inlinable package func distance(from other: UInt16) -> Int {
    Int(Int16(bitPattern: self &- other))
  }
}

extension UInt32 {
  /// Whether this number comes after `other`. Exactly half the circle apart counts as not newer.
  @inlinable package func isNewer(than other: UInt32) -> Bool {
    let distance = self &- other
    return distance != 0 && distance < 0x8000_0000
  }

  /// Steps forward from `other` to this number; negative when it lies behind.
  @inlinable package func distance(from other: UInt32) -> Int {
    Int(Int32(bitPattern: self &- other))
  }
}

/// Turns wrapping 16-bit counters into `Int64` ones, whatever the order in which they come.
@usableFromInline package struct SequenceUnwrapper16: Sendable {
  @usableFromInline var last: Int64?

  package init() {}

  /// The unwrapped number nearest to the newest one seen. The first number is taken as it is.
  @inlinable package mutating func unwrap(_ value: UInt16) -> Int64 {
    guard let last else {
      self.last = Int64(value)
      return Int64(value)
    }
    let unwrapped = last &+ Int64(value.distance(from: UInt16(truncatingIfNeeded: last)))
    if unwrapped > last { self.last = unwrapped }
    return unwrapped
  }

  /// The same, without remembering `value`.
  @inlinable package func peek(_ value: UInt16) -> Int64 {
    guard let last else { return Int64(value) }
    return last &+ Int64(value.distance(from: UInt16(truncatingIfNeeded: last)))
  }

  /// Starts anew with the next number.
  package mutating func reset() { last = nil }
}

/// Turns wrapping 32-bit counters into `Int64` ones, whatever the order in which they come.
@usableFromInline package struct SequenceUnwrapper32: Sendable {
  @usableFromInline var last: Int64?

  package init() {}

  /// The unwrapped number nearest to the newest one seen. The first number is taken as it is.
  @inlinable package mutating func unwrap(_ value: UInt32) -> Int64 {
    guard let last else {
      self.last = Int64(value)
      return Int64(value)
    }
    let unwrapped = last &+ Int64(value.distance(from: UInt32(truncatingIfNeeded: last)))
    if unwrapped > last { self.last = unwrapped }
    return unwrapped
  }

  /// The same, without remembering `value`.
  @inlinable package func peek(_ value: UInt32) -> Int64 {
    guard let last else { return Int64(value) }
    return last &+ Int64(value.distance(from: UInt32(truncatingIfNeeded: last)))
  }

  /// Starts anew with the next number.
  package mutating func reset() { last = nil }
}
