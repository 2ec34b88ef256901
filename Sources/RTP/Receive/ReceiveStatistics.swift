import WireFormat

/// What a receiver counts of one stream: sequence numbers, losses and jitter (RFC 3550 appendix A).
package struct ReceiveStatistics: Sendable {
  /// What a packet's sequence number means.
  package enum Arrival: Hashable, Sendable {
    /// Newest so far, or within reordering reach.
    case inOrder
    /// Too far from the others to be one of them, seen once: to be dropped.
    case stray
    /// The second one in a row from the new place: counting began anew.
    case restarted
  }

  package let clockRate: Int
  package private(set) var packetsReceived: UInt64 = 0
  package private(set) var payloadBytesReceived: UInt64 = 0
  /// RTP clock units, RFC 3550 appendix A.8.
  package var jitter: UInt32 { UInt32(clamping: scaledJitter &>> 4) }
  package var jitterInterval: Interval {
    .nanoseconds(scaledJitter &* 1_000_000_000 / Int64(16 * clockRate))
  }
  /// The highest sequence number, its wraps counted in the upper 16 bits; nil before the first packet.
  package private(set) var highestSequence: Int64?

  private var firstSequence: Int64 = 0
  private var expectedAtReport: Int64 = 0
  private var receivedAtReport: Int64 = 0
  private var receivedSinceStart: Int64 = 0
  private var unwrapper = SequenceUnwrapper16()
  private var suspect: UInt16?
  private var scaledJitter: Int64 = 0
  private var lastTransit: (timestamp: UInt32, arrival: Instant)?

  /// Further ahead or behind than this and a packet belongs to a stream that began anew.
  package static let longestJump: Int64 = 3000

  package init(clockRate: Int) {
    self.clockRate = max(1, clockRate)
  }

  /// How many packets are missing; negative when there were more duplicates than losses.
  package var cumulativeLost: Int64 {
    guard let highestSequence else { return 0 }
    return highestSequence &- firstSequence &+ 1 &- receivedSinceStart
  }

  /// Counts a packet and returns its unwrapped sequence number.
  ///
  /// - Parameter countsForJitter: false for packets whose timestamp does not follow their sending: repeats,
  ///   padding, and the first after a silence.
  package mutating func receive(
    _ header: RTPHeader, payloadBytes: Int, at arrival: Instant, countsForJitter: Bool
  ) -> (sequence: Int64, arrival: Arrival) {
    var outcome = Arrival.inOrder
    if let highest = highestSequence,
      abs(unwrapper.peek(header.sequenceNumber) &- highest) > ReceiveStatistics.longestJump
    {
      guard suspect == header.sequenceNumber else {
        suspect = header.sequenceNumber &+ 1
        return (unwrapper.peek(header.sequenceNumber), .stray)
      }
      restart()
      outcome = .restarted
    }
    suspect = nil
    let sequence = unwrapper.unwrap(header.sequenceNumber)
    if highestSequence == nil { firstSequence = sequence }
    // A reordered start: packets from before the first one seen were sent, so they are expected.
    firstSequence = min(firstSequence, sequence)
    let isNewest = highestSequence.map { sequence > $0 } ?? true
    highestSequence = max(highestSequence ?? sequence, sequence)
    packetsReceived &+= 1
    receivedSinceStart &+= 1
    payloadBytesReceived &+= UInt64(clamping: payloadBytes)
    if isNewest { updateJitter(header.timestamp, arrival, counts: countsForJitter) }
    return (sequence, outcome)
  }

  /// A report block's numbers, and the beginning of the next report's interval.
  package mutating func takeReport() -> (fractionLost: UInt8, cumulativeLost: Int32, highest: UInt32) {
    guard let highestSequence else { return (0, 0, 0) }
    let expected = highestSequence &- firstSequence &+ 1
    let expectedInterval = expected &- expectedAtReport
    let lostInterval = expectedInterval &- (receivedSinceStart &- receivedAtReport)
    expectedAtReport = expected
    receivedAtReport = receivedSinceStart
    let fraction = expectedInterval > 0 && lostInterval > 0 ? lostInterval &* 256 / expectedInterval : 0
    return (
      UInt8(clamping: fraction), Int32(clamping: min(0x7F_FFFF, max(-0x80_0000, cumulativeLost))),
      UInt32(truncatingIfNeeded: highestSequence)
    )
  }

  private mutating func restart() {
    unwrapper.reset()
    highestSequence = nil
    firstSequence = 0
    expectedAtReport = 0
    receivedAtReport = 0
    receivedSinceStart = 0
    lastTransit = nil
  }

  private mutating func updateJitter(_ timestamp: UInt32, _ arrival: Instant, counts: Bool) {
    defer { lastTransit = (timestamp, arrival) }
    guard counts, let last = lastTransit else { return }
    let sent = Int64(timestamp.distance(from: last.timestamp))
    let nanoseconds = min(max(0, (arrival - last.arrival).nanoseconds), 60_000_000_000)
    let received = nanoseconds &* Int64(clockRate) / 1_000_000_000
    let difference = abs(received &- sent)
    // A jump of the sender's clock (a pause, a new source) is no jitter.
    guard difference < Int64(clockRate) &* 5 else { return }
    scaledJitter &+= difference &- (scaledJitter &+ 8) &>> 4
  }
}
