import WireFormat

/// Tells the sender when each packet arrived (transport-wide congestion control), so that it can estimate
/// the path's bandwidth.
///
/// Feed it with ``handle(sequenceNumber:mediaSSRC:at:)`` for every packet that carries a transport-wide
/// number, whatever its stream; drain ``nextFeedback(at:)`` when ``nextTimeout`` has passed. A busy path is
/// reported on each 50 ms, a quiet one each 100 ms, a silent one not at all.
package struct TransportFeedbackGenerator: Sendable {
  private struct Arrival {
    var sequence = Int64.min
    var ticks: Int64 = 0
  }

  package let localSSRC: UInt32
  private var mediaSSRC: UInt32 = 0
  private var unwrapper = SequenceUnwrapper16()
  /// The last arrivals, by sequence number. A packet that comes after it was reported missing is reported
  /// once more, and those behind it again: hence more than one report's worth is kept.
  private var arrivals: [Arrival]
  private var nextToReport: Int64?
  private var highest: Int64 = 0
  private var feedbackCount: UInt8 = 0
  private var lastFeedback: Instant?
  private var due: Instant?
  private var arrivalsSinceFeedback = 0
  private var interval = Interval.milliseconds(100)

  private static let window = 4096
  private static let shortest = Interval.milliseconds(50)
  private static let longest = Interval.milliseconds(100)
  /// At this many packets a second and more the shortest interval is used.
  private static let busyRate = 200.0
  /// Keeps each feedback packet within one datagram: two bytes a delta at most, and the chunks.
  private static let maximumStatuses = 400
  private static let ticksPerReference: Int64 = 256

  package init(localSSRC: UInt32) {
    self.localSSRC = localSSRC
    arrivals = Array(repeating: Arrival(), count: TransportFeedbackGenerator.window)
  }

  package mutating func handle(sequenceNumber: UInt16, mediaSSRC: UInt32, at now: Instant) {
    let sequence = unwrapper.unwrap(sequenceNumber)
    self.mediaSSRC = mediaSSRC
    let window = Int64(TransportFeedbackGenerator.window)
    if nextToReport == nil { highest = sequence }
    guard sequence > highest &- window else { return }
    let position = Int(truncatingIfNeeded: sequence) & (TransportFeedbackGenerator.window - 1)
    guard arrivals[position].sequence != sequence else { return }
    arrivals[position] = Arrival(sequence: sequence, ticks: now.nanoseconds / 250_000)
    highest = max(highest, sequence)
    nextToReport = max(min(nextToReport ?? sequence, sequence), highest &- window &+ 1)
    arrivalsSinceFeedback += 1
    if due == nil { due = lastFeedback.map { max(now, $0 + interval) } ?? now + interval }
  }

  package var nextTimeout: Instant? { due }

  /// The next feedback packet, when one is due; several in a row after many packets.
  package mutating func nextFeedback(at now: Instant) -> TransportFeedback? {
    guard let due, due <= now, let first = nextToReport else { return nil }
    guard first <= highest else {
      finish(at: now)
      return nil
    }
    var feedback = TransportFeedback(
      senderSSRC: localSSRC, mediaSSRC: mediaSSRC, baseSequence: UInt16(truncatingIfNeeded: first),
      referenceTime: 0, feedbackCount: feedbackCount, statuses: [])
    let last = min(highest, first &+ Int64(TransportFeedbackGenerator.maximumStatuses) &- 1)
    feedback.statuses.reserveCapacity(Int(last &- first) &+ 1)
    var clock: Int64?
    var sequence = first
    while sequence <= last {
      let arrival = arrivals[Int(truncatingIfNeeded: sequence) & (TransportFeedbackGenerator.window - 1)]
      guard arrival.sequence == sequence else {
        feedback.statuses.append(.notReceived)
        sequence &+= 1
        continue
      }
      if clock == nil {
        let reference = arrival.ticks &>> 8
        feedback.referenceTime = (Int32(truncatingIfNeeded: reference) &<< 8) &>> 8
        clock = reference &* TransportFeedbackGenerator.ticksPerReference
      }
      // More than 8 s between neighbours does not fit: the rest goes into a packet of its own.
      guard let delta = Int16(exactly: arrival.ticks &- (clock ?? 0)) else { break }
      feedback.statuses.append(.received(delta: delta))
      clock = arrival.ticks
      sequence &+= 1
    }
    nextToReport = sequence
    feedbackCount &+= 1
    if sequence > highest { finish(at: now) }
    return feedback
  }

  private mutating func finish(at now: Instant) {
    if let lastFeedback {
      let seconds = max(0.001, (now - lastFeedback).inSeconds)
      let load = min(1, Double(arrivalsSinceFeedback) / seconds / TransportFeedbackGenerator.busyRate)
      let span = TransportFeedbackGenerator.longest - TransportFeedbackGenerator.shortest
      interval = TransportFeedbackGenerator.longest - span * load
    }
    arrivalsSinceFeedback = 0
    lastFeedback = now
    due = nil
  }
}
