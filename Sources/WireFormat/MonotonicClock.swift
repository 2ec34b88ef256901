#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system's monotonic clock (CLOCK_MONOTONIC), which drivers and threads read; machines never do.
///
/// Its microseconds are the time base of frame metadata (`captureTimeUs`).
package enum MonotonicClock {
  package static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// What the wall clock said, in nanoseconds of Unix time, when this clock was at its origin.
  package static func unixTimeAtOrigin() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) &- now().nanoseconds
  }
}
