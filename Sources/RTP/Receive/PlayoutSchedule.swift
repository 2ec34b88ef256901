import WireFormat

/// When frames are due if they are held for smoothness: a fixed delay behind the fastest transit seen.
struct PlayoutSchedule {
  private let delay: Interval
  private var unwrapper = SequenceUnwrapper32()
  /// Smallest arrival time minus media time; lets slow clock drift through.
  private var base: Interval?

  /// How fast `base` may rise: 100 µs a frame follows any real clock's drift.
  private static let drift = Interval.microseconds(100)
  /// Frames further off than this began anew.
  private static let reach = Interval.seconds(2)

  init(delay: Interval) {
    self.delay = delay
  }

  /// The moment at which the frame is to be delivered; never later than `delay` after it was whole.
  mutating func due(timestamp: UInt32, completed: Instant) -> Instant {
    guard delay > .zero else { return completed }
    let ticks = unwrapper.unwrap(timestamp)
    let media = Interval.microseconds(ticks &* 100 / 9)
    let transit = completed - Instant(nanoseconds: media.nanoseconds)
    if let known = base, abs((transit - known).nanoseconds) < PlayoutSchedule.reach.nanoseconds {
      base = min(transit, known + PlayoutSchedule.drift)
    } else {
      base = transit
    }
    let due = Instant(nanoseconds: media.nanoseconds) + (base ?? transit) + delay
    return min(max(due, completed), completed + delay)
  }
}
