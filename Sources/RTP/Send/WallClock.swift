import WireFormat

/// Maps machine time to NTP time for sender reports.
package struct WallClock: Hashable, Sendable {
  private var offset: Int64

  /// - Parameter unixNanoseconds: the wall clock's time at `now`.
  package init(unixNanoseconds: Int64, at now: Instant) {
    offset = unixNanoseconds &- now.nanoseconds
  }

  package func time(at now: Instant) -> NTPTime {
    NTPTime(unixNanoseconds: offset &+ now.nanoseconds)
  }
}
