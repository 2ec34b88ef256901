import WireFormat

/// Audio timestamps: they count samples, and follow the clock over a pause in which no samples came.
///
/// A sender whose timestamp stood still in a pause would have the receiver play ever later, by the length of
/// all pauses together.
package struct AudioTimeline: Sendable {
  /// A gap up to this is jitter of the capture (or drift of its clock), not a pause.
  private static let tolerance = Interval.milliseconds(100)

  private let clockRate: Int64
  private var next: UInt32
  private var expectedAt: Instant?

  package init(clockRate: UInt32, first: UInt32) {
    self.clockRate = Int64(max(1, clockRate))
    next = first
  }

  /// The timestamp of `sampleCount` samples whose first was captured at `now`, and whether a pause lies
  /// before them.
  package mutating func advance(
    by sampleCount: Int, at now: Instant
  ) -> (timestamp: UInt32, isAfterPause: Bool) {
    let samples = Int64(min(max(0, sampleCount), 1 << 20))
    let length = Interval.nanoseconds(samples * 1_000_000_000 / clockRate)
    guard let expected = expectedAt else {
      let timestamp = next
      next &+= UInt32(truncatingIfNeeded: samples)
      expectedAt = now + length
      return (timestamp, true)
    }
    let late = now - expected
    var isAfterPause = false
    var reference = expected
    if late > AudioTimeline.tolerance {
      isAfterPause = true
      reference = now
      // Whole packets, so that the receiver's grid stays what it was.
      let step = max(1, samples)
      let gap = (late.nanoseconds / 1000) * clockRate / 1_000_000
      next &+= UInt32(truncatingIfNeeded: (gap + step / 2) / step * step)
    } else if late < .zero - AudioTimeline.tolerance {
      // Samples come faster than the clock (a buffer that is emptied at once): follow them, but not for ever.
      reference = now
    }
    let timestamp = next
    next &+= UInt32(truncatingIfNeeded: samples)
    expectedAt = reference + length
    return (timestamp, isAfterPause)
  }
}
