import WireFormat

extension Interval {
  /// The same span; what does not fit is the longest that does.
  package init(_ duration: Duration) {
    let parts = duration.components
    self = .seconds(parts.seconds) + .nanoseconds(parts.attoseconds / 1_000_000_000)
  }
}

extension Duration {
  /// The same span.
  package init(_ interval: Interval) {
    self = .nanoseconds(interval.nanoseconds)
  }
}
