import WireFormat

/// Packets that left together: those within a burst of 5 ms, or that a middle box held back and let go at
/// once, count as one arrival.
package struct PacketGroup: Hashable, Sendable {
  package var firstSentAt: Instant
  package var lastSentAt: Instant
  package var firstReceivedAt: Instant
  package var lastReceivedAt: Instant
}

/// How two neighbouring groups lay apart when sent and when received.
package struct GroupDelta: Hashable, Sendable {
  package var sent: Interval
  package var received: Interval
  /// When the newer group was complete, on the receiver's clock.
  package var receivedAt: Instant

  /// How much longer the newer group was on its way.
  package var delayVariation: Interval { received - sent }
}

/// Sorts acknowledged packets into groups and measures neighbouring groups against each other.
package struct InterArrival: Sendable {
  /// Packets sent within this span of the group's first belong to it.
  package static let burst = Interval.milliseconds(5)
  /// A release of held-back packets is taken for one group up to this length.
  private static let longestRelease = Interval.milliseconds(100)
  /// A receiver's clock that jumps by more than this starts everything anew.
  private static let clockJump = Interval.seconds(3)

  private var previous: PacketGroup?
  private var current: PacketGroup?

  package init() {}

  /// Takes one packet; gives the delta when it opens a new group and two complete ones are known.
  package mutating func add(sentAt: Instant, receivedAt: Instant) -> GroupDelta? {
    guard var group = current else {
      current = PacketGroup(
        firstSentAt: sentAt, lastSentAt: sentAt, firstReceivedAt: receivedAt, lastReceivedAt: receivedAt)
      return nil
    }
    // What was sent before the current group came out of order and says nothing of the queue.
    guard sentAt >= group.firstSentAt else { return nil }
    if belongs(sentAt, receivedAt, to: group) {
      group.lastSentAt = max(group.lastSentAt, sentAt)
      group.lastReceivedAt = max(group.lastReceivedAt, receivedAt)
      current = group
      return nil
    }
    let delta = deltaOfCompleteGroups()
    previous = group
    current = PacketGroup(
      firstSentAt: sentAt, lastSentAt: sentAt, firstReceivedAt: receivedAt, lastReceivedAt: receivedAt)
    return delta
  }

  package mutating func reset() {
    previous = nil
    current = nil
  }

  private func belongs(_ sentAt: Instant, _ receivedAt: Instant, to group: PacketGroup) -> Bool {
    if sentAt - group.firstSentAt <= InterArrival.burst { return true }
    let sent = sentAt - group.lastSentAt
    let received = receivedAt - group.lastReceivedAt
    return received < sent && received <= InterArrival.burst
      && receivedAt - group.firstReceivedAt < InterArrival.longestRelease
  }

  private mutating func deltaOfCompleteGroups() -> GroupDelta? {
    guard let previous, let current else { return nil }
    let received = current.lastReceivedAt - previous.lastReceivedAt
    let sent = current.lastSentAt - previous.lastSentAt
    guard received >= .zero, received - sent < InterArrival.clockJump else {
      reset()
      return nil
    }
    return GroupDelta(sent: sent, received: received, receivedAt: current.lastReceivedAt)
  }
}
