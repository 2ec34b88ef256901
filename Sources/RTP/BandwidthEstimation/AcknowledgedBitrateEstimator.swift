import WireFormat

/// The rate at which packets came in at the receiver, over a sliding window on its clock.
package struct AcknowledgedBitrateEstimator: Sendable {
  private static let window = Interval.milliseconds(500)
  private static let shortestSpan = Interval.milliseconds(100)
  private static let fewestPackets = 5
  private static let mostPackets = 4096

  private var packets = FIFO<(at: Instant, bytes: Int)>(minimumCapacity: 256)
  private var bytes = 0

  package init() {}

  package mutating func add(receivedAt: Instant, bytes size: Int) {
    if let last = packets.last {
      // Late packets count where they stand in the window; a jump of the clock starts anew.
      if last.at - receivedAt > AcknowledgedBitrateEstimator.window { reset() }
    }
    let at = max(receivedAt, packets.last?.at ?? receivedAt)
    packets.append((at, size))
    bytes += size
    while let first = packets.first,
      at - first.at > AcknowledgedBitrateEstimator.window
        || packets.count > AcknowledgedBitrateEstimator.mostPackets
    {
      bytes -= first.bytes
      _ = packets.popFirst()
    }
  }

  /// Bits per second; nil while too little is known.
  package var bitrate: Double? {
    guard packets.count >= AcknowledgedBitrateEstimator.fewestPackets, let first = packets.first,
      let last = packets.last
    else { return nil }
    let span = last.at - first.at
    guard span >= AcknowledgedBitrateEstimator.shortestSpan else { return nil }
    return Double(bytes - first.bytes) * 8 / span.inSeconds
  }

  /// The rate over the newest `span` alone, for what has just changed.
  package func bitrate(overLast span: Interval) -> Double? {
    guard let last = packets.last else { return nil }
    var sum = 0
    var index = packets.count - 1
    var oldest = last
    while index >= 0, let packet = packets[index], last.at - packet.at <= span {
      sum += packet.bytes
      oldest = packet
      index -= 1
    }
    let length = last.at - oldest.at
    guard packets.count - 1 - index >= AcknowledgedBitrateEstimator.fewestPackets,
      length >= AcknowledgedBitrateEstimator.shortestSpan
    else { return nil }
    return Double(sum - oldest.bytes) * 8 / length.inSeconds
  }

  package mutating func reset() {
    packets.removeAll()
    bytes = 0
  }
}
