import WireFormat

/// When an unanswered flight goes out again: RFC 6347 section 4.2.4 with a first timeout from the path.
struct RetransmissionSchedule {
  /// Below this a busy peer's own computing time would look like loss.
  static let floor = Interval.milliseconds(20)
  /// Used when nothing is known about the path; libwebrtc's value.
  static let unknownPath = Interval.milliseconds(50)
  /// With 12 repetitions after `floor`, the last goes out 17 s after the first: longer than an outage that
  /// ICE survives, shorter than anybody waits.
  static let ceiling = Interval.seconds(3)

  let first: Interval

  /// - Parameter roundTripTime: what ICE measured, nil when it did not.
  init(roundTripTime: Interval?) {
    first = min(max(roundTripTime.map { $0 * Int64(2) } ?? Self.unknownPath, Self.floor), .seconds(1))
  }

  /// The timeout after one of `previous` has run out; nil for the first of a flight.
  func next(after previous: Interval?) -> Interval {
    guard let previous else { return first }
    return min(previous * Int64(2), Self.ceiling)
  }
}
