import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system's monotonic clock and wall clock.
package struct SystemClock: SignalingClock {
  package init() {}

  package func now() -> Instant { MonotonicClock.now() }

  package func sleep(until deadline: Instant) async throws {
    let wait = deadline - now()
    guard wait > .zero else { return }
    // A year: the deadline of "never" must not overflow the runtime's own arithmetic.
    let bounded = min(wait, .seconds(31_536_000))
    try await Task.sleep(nanoseconds: UInt64(bounded.nanoseconds))
  }

  package func unixMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
