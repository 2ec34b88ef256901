/// Splits the connection's target over its active tracks.
package enum BitrateAllocator {
  package struct Demand: Hashable, Sendable {
    package var limits: TrackBitrateLimits
    /// Audio is served in full before video gets anything above its minimum.
    package var isAudio: Bool

    package init(limits: TrackBitrateLimits, isAudio: Bool) {
      self.limits = limits
      self.isAudio = isAudio
    }
  }

  /// Each track gets its minimum, audio then its maximum, and the video tracks share the rest evenly; what
  /// one cannot use goes to the others. Minimums are kept even when the target is lower than their sum.
  package static func allocate(_ target: Int, over demands: [Demand]) -> [Int] {
    var shares = demands.map(\.limits.minimum)
    var rest = target - shares.reduce(0, +)
    for index in demands.indices where demands[index].isAudio && rest > 0 {
      let extra = min(rest, demands[index].limits.maximum - shares[index])
      shares[index] += extra
      rest -= extra
    }
    var open = demands.indices.filter { !demands[$0].isAudio && shares[$0] < demands[$0].limits.maximum }
    while rest >= open.count, !open.isEmpty {
      let each = rest / open.count
      for index in open {
        let extra = min(each, demands[index].limits.maximum - shares[index])
        shares[index] += extra
        rest -= extra
      }
      open.removeAll { shares[$0] >= demands[$0].limits.maximum }
    }
    return shares
  }
}
