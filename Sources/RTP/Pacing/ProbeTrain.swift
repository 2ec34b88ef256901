import WireFormat

/// A probe that is being sent: when its next packet is due, and when it is complete.
package struct ProbeTrain: Sendable {
  /// A train that could not be sent by then (nothing to fill it with) is given up.
  private static let patience = Interval.seconds(2)
  /// One that fell behind its schedule by this much would show the sender's pauses, not the path.
  private static let longestDelay = Interval.milliseconds(20)

  package let request: ProbeRequest
  private let createdAt: Instant
  private var startedAt: Instant?
  private var packets = 0
  private var bytes = 0

  package init(_ request: ProbeRequest, at now: Instant) {
    self.request = request
    createdAt = now
  }

  package var dueTime: Instant {
    guard let startedAt else { return createdAt }
    return startedAt + .seconds(Double(bytes) * 8 / Double(max(1, request.bitrate)))
  }

  package var isComplete: Bool {
    packets >= request.minimumPackets && bytes >= request.minimumBytes
  }

  package func isOutdated(at now: Instant) -> Bool {
    guard startedAt != nil else { return now - createdAt > ProbeTrain.patience }
    return now - dueTime > ProbeTrain.longestDelay
  }

  /// Bytes that one packet of padding should have.
  package var paddingSize: Int {
    min(max(200, request.minimumBytes / max(1, request.minimumPackets)), 1200)
  }

  package mutating func add(bytes size: Int, at now: Instant) {
    if startedAt == nil { startedAt = now }
    packets += 1
    bytes += size
  }
}
