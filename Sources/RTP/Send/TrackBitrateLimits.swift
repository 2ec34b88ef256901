/// One track's share of the bandwidth: never below `minimum`, never above `maximum`, bits per second.
package struct TrackBitrateLimits: Hashable, Sendable {
  package var minimum: Int
  package var maximum: Int

  package init(minimum: Int = 0, maximum: Int) {
    self.minimum = max(0, minimum)
    self.maximum = max(self.minimum, maximum)
  }
}
