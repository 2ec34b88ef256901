import WireFormat

/// Which packets of a stream are missing, and when to ask for them (RFC 4585 section 6.2.1).
///
/// A missing packet is asked for as soon as a later one arrives, then each half round trip, since the request
/// may be lost as well as the answer (senders pass over repeats within a round trip); after some tries once a
/// round trip.
package struct NACKGenerator: Sendable {
  package struct Limits: Sendable {
    /// Requests for one packet.
    package var maximumTries = 12
    /// Packets missing at once; more and the picture is better begun anew.
    package var maximumMissing = 1000
    /// How long a packet is worth asking for.
    package var maximumAge = Interval.seconds(1)

    package init() {}
  }

  private struct Missing {
    let sequence: Int64
    let since: Instant
    var lastRequest: Instant?
    var nextRequest: Instant
    var tries = 0
  }

  package let limits: Limits
  package var roundTripTime = Interval.milliseconds(100)
  /// Packets asked for, repeats counted.
  package private(set) var requestCount: UInt64 = 0
  private var missing: [Missing] = []
  private var highest: Int64?
  private var hasGivenUp = false
  /// How late packets come that were only overtaken: so long the first request waits.
  private var reorderWait = Interval.zero

  private static let quickTries = 6
  private static let longestReorderWait = Interval.milliseconds(20)

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  package var missingCount: Int { missing.count }

  /// When the next request is due.
  package var nextTimeout: Instant? { missing.lazy.map(\.nextRequest).min() }

  /// Notes an arrival, a retransmission included.
  package mutating func receive(_ sequence: Int64, at now: Instant, isRetransmission: Bool) {
    guard let highest else {
      highest = sequence
      return
    }
    if sequence <= highest {
      found(sequence, at: now, isRetransmission: isRetransmission)
      return
    }
    let gap = sequence &- highest &- 1
    self.highest = sequence
    guard gap > 0 else { return }
    guard gap <= Int64(limits.maximumMissing - missing.count) else {
      missing.removeAll(keepingCapacity: true)
      hasGivenUp = true
      return
    }
    for number in (highest &+ 1)..<sequence {
      missing.append(Missing(sequence: number, since: now, nextRequest: now + reorderWait))
    }
  }

  /// The sequence numbers to ask for now, oldest first.
  package mutating func takeRequests(at now: Instant) -> [UInt16] {
    var requests: [UInt16] = []
    let count = missing.count
    missing.removeAll { entry in
      entry.nextRequest <= now
        && (entry.tries >= limits.maximumTries || now - entry.since > limits.maximumAge)
    }
    if missing.count != count { hasGivenUp = true }
    for index in missing.indices where missing[index].nextRequest <= now {
      requests.append(UInt16(truncatingIfNeeded: missing[index].sequence))
      missing[index].tries += 1
      missing[index].lastRequest = now
      missing[index].nextRequest = now + retryInterval(afterTries: missing[index].tries)
    }
    requestCount &+= UInt64(requests.count)
    return requests
  }

  /// Gives up, without asking, what has been missing for longer than `age`.
  package mutating func giveUp(olderThan age: Interval, at now: Instant) {
    guard let first = missing.first, now - first.since >= age else { return }
    missing.removeAll { now - $0.since >= age }
    hasGivenUp = true
  }

  /// Since when the oldest missing packet is missing.
  package var oldestMissing: Instant? { missing.first?.since }

  /// Whether a packet was given up since the last call: the picture has a hole that only a keyframe mends.
  package mutating func takeGivenUp() -> Bool {
    defer { hasGivenUp = false }
    return hasGivenUp
  }

  /// Forgets what lies before `sequence`: nobody waits for it any more.
  package mutating func forget(before sequence: Int64) {
    guard let first = missing.first, first.sequence < sequence else { return }
    missing.removeAll { $0.sequence < sequence }
  }

  /// Begins anew with the next packet.
  package mutating func reset() {
    missing.removeAll(keepingCapacity: true)
    highest = nil
    hasGivenUp = false
  }

  private func retryInterval(afterTries tries: Int) -> Interval {
    let roundTrip = max(roundTripTime, .milliseconds(5))
    // The third request is the first to be answered when a repair was lost; losing it too would cost half a
    // round trip more, so that it is said twice.
    if tries == 3 { return max(roundTrip * 0.05, .milliseconds(5)) }
    return tries <= NACKGenerator.quickTries
      ? max(roundTrip * 0.5, .milliseconds(5)) : max(roundTrip * 1.05, .milliseconds(20))
  }

  private mutating func found(_ sequence: Int64, at now: Instant, isRetransmission: Bool) {
    guard let index = index(of: sequence) else { return }
    let entry = missing.remove(at: index)
    guard !isRetransmission else { return }
    // An original that comes sooner than an answer could was only overtaken.
    let isOvertaken = entry.lastRequest.map { now - $0 < roundTripTime * 0.8 } ?? true
    if isOvertaken {
      let lateness = min(now - entry.since, NACKGenerator.longestReorderWait)
      reorderWait = max(lateness, reorderWait * 0.9)
    } else {
      reorderWait = reorderWait * 0.5
    }
  }

  private func index(of sequence: Int64) -> Int? {
    var low = 0
    var high = missing.count
    while low < high {
      let middle = (low + high) / 2
      if missing[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < missing.count && missing[low].sequence == sequence ? low : nil
  }
}
