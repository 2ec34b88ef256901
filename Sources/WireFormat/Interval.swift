/// A span of time in nanoseconds. Arithmetic saturates instead of trapping.
///
/// The standard library's `Duration` is 128 bits wide and needs a division to become a number; this is the
/// one that protocol machines use. The public API speaks `Duration`.
@usableFromInline package struct Interval: Hashable, Comparable, Sendable {
  @usableFromInline package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  @usableFromInline package static let zero = Interval(nanoseconds: 0)

  @inlinable package static func nanoseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count) }
  @inlinable package static func microseconds(_ count: Int64) -> Interval { scaled(count, 1000) }
  @inlinable package static func milliseconds(_ count: Int64) -> Interval { scaled(count, 1_000_000) }
  @inlinable package static func seconds(_ count: Int64) -> Interval { scaled(count, 1_000_000_000) }

  /// From a fraction of a second; NaN is zero, what does not fit is the nearest that does. Disfavoured, so
  /// that a literal without a fraction is taken as an integer.
  @_disfavoredOverload
  @inlinable package static func seconds(_ count: Double) -> Interval {
    let value = count * 1e9
    if value.isNaN { return .zero }
    if value >= 9.2e18 { return Interval(nanoseconds: .max) }
    if value <= -9.2e18 { return Interval(nanoseconds: .min) }
    return Interval(nanoseconds: Int64(value))
  }

  @_disfavoredOverload
  @inlinable package static func milliseconds(_ count: Double) -> Interval { seconds(count / 1000) }

  @inlinable package var inSeconds: Double { Double(nanoseconds) / 1e9 }
  @inlinable package var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
  @inlinable package var wholeMicroseconds: Int64 { nanoseconds / 1000 }
  @inlinable package var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }

  @inlinable package static func < (left: Interval, right: Interval) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable package static func + (left: Interval, right: Interval) -> Interval { left.adding(right) }
  @inlinable package static func - (left: Interval, right: Interval) -> Interval { left.subtracting(right) }
  @inlinable package static func += (left: inout Interval, right: Interval) { left = left.adding(right) }
  @inlinable package static func -= (left: inout Interval, right: Interval) { left = left.subtracting(right) }

  @inlinable package static func * (left: Interval, right: Int64) -> Interval {
    scaled(left.nanoseconds, right)
  }

  @_disfavoredOverload
  @inlinable package static func * (left: Interval, right: Double) -> Interval {
    seconds(left.inSeconds * right)
  }

  /// Division by zero gives zero.
  @inlinable package static func / (left: Interval, right: Int64) -> Interval {
    guard right != 0 else { return .zero }
    let (quotient, overflow) = left.nanoseconds.dividedReportingOverflow(by: right)
    return Interval(nanoseconds: overflow ? .max : quotient)
  }

  /// The quotient as a number; division by zero gives infinity or NaN, as for `Double`.
  @inlinable package static func / (left: Interval, right: Interval) -> Double {
    Double(left.nanoseconds) / Double(right.nanoseconds)
  }

  @inlinable func adding(_ other: Interval) -> Interval {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(other.nanoseconds)
    return Interval(nanoseconds: overflow ? (other.nanoseconds > 0 ? .max : .min) : sum)
  }

  @inlinable func subtracting(_ other: Interval) -> Interval {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return Interval(nanoseconds: overflow ? (other.nanoseconds > 0 ? .min : .max) : difference)
  }

  @inlinable static func scaled(_ count: Int64, _ factor: Int64) -> Interval {
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    return Interval(nanoseconds: overflow ? ((count < 0) != (factor < 0) ? .min : .max) : product)
  }
}
