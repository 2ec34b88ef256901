import WireFormat

/// Turns transport-wide feedback messages into what became of each packet.
package struct TransportFeedbackReader {
  /// 24 bits of reference time.
  private static let cycle: Int64 = 1 << 24
  private var lastReference: Int64?

  package init() {}

  /// Appends to `results`, oldest packet first. Packets that the log does not know are passed over.
  package mutating func read(
    _ feedback: TransportFeedback, log: inout SentPacketLog, into results: inout [PacketFeedback]
  ) {
    var time = Instant.origin + TransportFeedback.referenceUnit * unwrap(feedback.referenceTime)
    var number = feedback.baseSequence
    for status in feedback.statuses {
      switch status {
      case .notReceived:
        if let result = log.take(number, receivedAt: nil) { results.append(result) }
      case .receivedWithoutTime:
        break
      case .received(let delta):
        time += TransportFeedback.deltaUnit * Int64(delta)
        if let result = log.take(number, receivedAt: time) { results.append(result) }
      }
      number &+= 1
    }
  }

  private mutating func unwrap(_ reference: Int32) -> Int64 {
    let value = Int64(reference) & (TransportFeedbackReader.cycle - 1)
    guard let last = lastReference else {
      // Far from 0, so that a receiver's clock may go back a little.
      lastReference = value + TransportFeedbackReader.cycle
      return value + TransportFeedbackReader.cycle
    }
    var step = (value - last) & (TransportFeedbackReader.cycle - 1)
    if step >= TransportFeedbackReader.cycle / 2 { step -= TransportFeedbackReader.cycle }
    let unwrapped = last + step
    lastReference = max(last, unwrapped)
    return unwrapped
  }
}
