/// Turns capture times into the 90 kHz time line of one video track, which never stands still or goes back.
///
/// - A time that repeats, lies less than a second behind its predecessor or less than 1 ms after it, is moved to 1 ms after it.
/// - A time that lies further behind, or more than a day ahead, means that the caller's clock started anew: the line goes on 1 ms after
///   its last point, and from there on keeps the new clock's distances.
/// - Times below zero, and those so large that they cannot be counted in 90 kHz, are taken as the nearest
///   that can.
package struct CaptureClock {
  private static let longestNudge: Int64 = 1_000_000
  private static let longestPause: Int64 = 86_400_000_000

  private var offset: Int64 = 0
  private var last: Int64?

  package init() {}

  /// Ticks of 90 kHz; the RTP timestamp is their lower 32 bits.
  package mutating func ticks(captureTimeUs: Int64) -> Int64 {
    // 9 ticks are 100 µs; the line rises by a day a frame at most, so it stays far from overflow.
    let time = max(0, min(captureTimeUs, .max / 40))
    guard let last else {
      self.last = time
      return time * 9 / 100
    }
    var moved = time &+ offset
    let distance = moved &- last
    if distance < -Self.longestNudge || distance > Self.longestPause {
      offset = last &+ 1000 &- time
      moved = last &+ 1000
    } else if distance < 1000 {
      moved = last &+ 1000
    }
    self.last = moved
    return moved * 9 / 100
  }
}
