/// A 64-bit NTP timestamp: seconds since 1900-01-01 and a binary fraction (RFC 3550 section 4).
package struct NTPTime: Hashable, Comparable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Seconds between the NTP epoch (1900) and the Unix epoch (1970).
  package static let unixEpochOffset: UInt64 = 2_208_988_800

  /// From nanoseconds since the Unix epoch.
  package init(unixNanoseconds: Int64) {
    let clamped = UInt64(max(0, unixNanoseconds))
    let seconds = clamped / 1_000_000_000 &+ NTPTime.unixEpochOffset
    // Shifts bind tighter than products in Swift: the parentheses matter.
    let fraction = ((clamped % 1_000_000_000) &<< 32) / 1_000_000_000
    rawValue = seconds &<< 32 | fraction
  }

  /// Nanoseconds since the Unix epoch; earlier moments give negative numbers.
  package var unixNanoseconds: Int64 {
    let seconds = Int64(rawValue &>> 32) &- Int64(NTPTime.unixEpochOffset)
    let fraction = Int64(((rawValue & 0xFFFF_FFFF) &* 1_000_000_000) &>> 32)
    return seconds &* 1_000_000_000 &+ fraction
  }

  /// The middle 32 bits: 16 of seconds, 16 of fraction, as reports carry it (RFC 3550 section 6.4.1).
  package var compact: UInt32 { UInt32(truncatingIfNeeded: rawValue &>> 16) }

  /// What a difference of two compact timestamps means (units of 1/65536 s).
  package static func interval(compact units: UInt32) -> Interval {
    .nanoseconds(Int64((UInt64(units) &* 1_000_000_000) &>> 16))
  }

  package static func < (left: NTPTime, right: NTPTime) -> Bool { left.rawValue < right.rawValue }
}
