/// A moment on a monotonic clock, in nanoseconds since an origin that only the clock knows.
///
/// Machines never read a clock: each input carries the moment at which it happened. Arithmetic saturates
/// instead of trapping, so that a hostile number can at worst give a moment far away.
@usableFromInline package struct Instant: Hashable, Comparable, Sendable {
  @usableFromInline package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static let origin = Instant(nanoseconds: 0)
  package static let distantFuture = Instant(nanoseconds: .max)

  @inlinable package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable package static func + (left: Instant, right: Interval) -> Instant {
    Instant(nanoseconds: Interval(nanoseconds: left.nanoseconds).adding(right).nanoseconds)
  }

  @inlinable package static func - (left: Instant, right: Interval) -> Instant {
    Instant(nanoseconds: Interval(nanoseconds: left.nanoseconds).subtracting(right).nanoseconds)
  }

  @inlinable package static func - (left: Instant, right: Instant) -> Interval {
    Interval(nanoseconds: left.nanoseconds).subtracting(Interval(nanoseconds: right.nanoseconds))
  }

  @inlinable package static func += (left: inout Instant, right: Interval) {
    left = left + right
  }

  /// Whole microseconds since the origin; the unit of capture times.
  @inlinable package var microseconds: Int64 { nanoseconds / 1000 }
}

extension Optional where Wrapped == Instant {
  /// The earlier of two timers, either of which may be unset.
  package static func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }
}
