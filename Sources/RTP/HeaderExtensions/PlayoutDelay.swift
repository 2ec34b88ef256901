import WireFormat

/// The sender's wish for how long its video is held before display: two 12-bit counts of 10 ms.
package struct PlayoutDelay: Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue & 0xFF_FFFF
  }

  package init(minimum: Interval, maximum: Interval) {
    func units(_ interval: Interval) -> UInt32 {
      UInt32(clamping: min(0xFFF, max(0, interval.wholeMilliseconds / 10)))
    }
    rawValue = units(minimum) &<< 12 | units(maximum)
  }

  package var minimum: Interval { .milliseconds(Int64(rawValue &>> 12) &* 10) }
  package var maximum: Interval { .milliseconds(Int64(rawValue & 0xFFF) &* 10) }
}
