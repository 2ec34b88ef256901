import WireFormat

/// The time that signalling goes by: the system's, or a test's.
package protocol SignalingClock: Sendable {
  func now() -> Instant
  /// Returns at `deadline`, or throws `CancellationError`.
  func sleep(until deadline: Instant) async throws
  /// Milliseconds of Unix time; clips name wall-clock times.
  func unixMilliseconds() -> Double
}
