import WireFormat

/// Which chunk was sent last among those delivered, and how much reordering to allow for: RACK (RFC 8985
/// section 6) with TSNs for sequence numbers and duplicate reports for DSACK.
struct LossDetector {
  private(set) var newestSentAt: Instant?
  private(set) var newestTSN: UInt32 = 0
  private(set) var roundTrip: Interval = .zero
  private(set) var hasSeenReordering = false
  private var multiplier: Int64 = 1
  private var highestAcknowledged: UInt32?

  init() {}

  /// A chunk was delivered.
  mutating func delivered(
    tsn: UInt32, sentAt: Instant, wasRetransmitted: Bool, minimum: Interval?, at now: Instant
  ) {
    if let highest = highestAcknowledged, highest.isNewer(than: tsn) {
      if !wasRetransmitted { hasSeenReordering = true }
    } else {
      highestAcknowledged = tsn
    }
    let elapsed = now - sentAt
    // The answer is to an earlier transmission (RFC 8985 section 6.2 step 2).
    if wasRetransmitted, let minimum, elapsed < minimum { return }
    if let newest = newestSentAt, sentAt < newest || (sentAt == newest && !tsn.isNewer(than: newestTSN)) {
      return
    }
    newestSentAt = sentAt
    newestTSN = tsn
    roundTrip = elapsed
  }

  /// Something found lost had arrived.
  mutating func sawReordering() { hasSeenReordering = true }

  /// The other side received something twice: a retransmission was not needed.
  mutating func sawDuplicate() {
    hasSeenReordering = true
    multiplier = min(multiplier + 1, 8)
  }

  /// How much later than a delivered one a chunk may arrive before it counts as lost.
  func reorderingWindow(minimum: Interval?, smoothed: Interval?, reported: Int) -> Interval {
    // Three reports show a loss as RFC 9260's fast retransmit does, until reordering was seen.
    if !hasSeenReordering, reported >= 3 { return .zero }
    guard let minimum else { return .zero }
    return min(minimum / 4 * multiplier, smoothed ?? minimum)
  }

  /// Whether a chunk was sent after the newest delivered one, so that nothing is known about it.
  func isUndecided(tsn: UInt32, sentAt: Instant) -> Bool {
    guard let newest = newestSentAt else { return true }
    return sentAt > newest || (sentAt == newest && tsn.isNewer(than: newestTSN))
  }
}
