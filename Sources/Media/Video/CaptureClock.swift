/// Turns capture times into the 90 kHz time line of one video track, which never stands still or goes back.
///
/// - A time that repeats or lies less than a second behind its predecessor is moved to 1 ms after it.
/// - A time that lies further behind means that the caller's clock started anew: the line goes on 1 ms after
///   its last point, and from there on keeps the new clock's distances.
/// - Times below zero, and those so large that they cannot be counted in 90 kHz, are taken as the nearest
///   that can.
package struct CaptureClock {
  private var offset: Int64 = 0
  private var last: Int64?

  package init() {}

  /// Ticks of 90 kHz; the RTP timestamp is their lower 32 bits.
  package mutating func ticks(captureTimeUs: Int64) -> Int64 {
    // 9 ticks are 100 µs; a quarter of the range leaves room for offset and nudges.
    let time = max(0, min(captureTimeUs, .max / 40))
    guard let last else {
      self.last = time
      return time * 9 / 100
    }
    var moved = time &+ offset
    if moved < last - 1_000_000 {
      offset = last &+ 1000 &- time
      moved = last + 1000
    } else if moved <= last {
      moved = last + 1000
    }
    moved = min(moved, .max / 20)
    self.last = moved
    return moved * 9 / 100
  }
}
