/// Frames of the last second, from the times of at most 256 of them.
package struct FrameRateMeter {
  private var times = [Int64](repeating: .min, count: 256)
  private var next = 0
  private var first: Int64?

  package init() {}

  package mutating func note(atUs now: Int64) {
    if first == nil { first = now }
    times[next] = now
    next = (next + 1) % times.count
  }

  /// Nil until half a second has passed since the first frame.
  package func framesPerSecond(atUs now: Int64) -> Double? {
    guard let first else { return nil }
    let span = min(1_000_000, now - first)
    guard span >= 500_000 else { return nil }
    let count = times.count { $0 != .min && $0 > now - span && $0 <= now }
    return Double(count) * 1_000_000 / Double(span)
  }
}
