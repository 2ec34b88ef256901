import WireFormat

/// Chunks from the first unacknowledged TSN on, in a ring indexed by TSN, with their states.
struct RetransmissionQueue {
  /// What one SACK did.
  struct Acknowledgement {
    /// Payload bytes acknowledged for the first time.
    var bytes = 0
    var advanced = false
    /// Chunks that had been found lost and turn out to have arrived the first time.
    var spurious = 0
    var sample: DeliverySample?
  }

  /// What a look for losses found.
  struct Losses {
    var packets = 0
    var bytes = 0
    /// When the next chunk will count as lost unless it is acknowledged before.
    var nextDeadline: Instant?
  }

  /// The most TSNs outstanding; the receiving side keeps track of as many.
  static let limit = 16_384

  private var ring = [OutstandingChunk](repeating: .free, count: 64)
  private var head = 0
  private(set) var count = 0
  /// The highest TSN acknowledged cumulatively.
  private(set) var cumulativeAck: UInt32
  private(set) var bytesInFlight = 0
  private(set) var lostCount = 0
  private var acknowledgedCount = 0
  private var lostHint = 0
  /// The highest TSN that FORWARD-TSN told the other side to skip: below it, "received" need not mean so.
  private var highestSkipped: UInt32?
  private var detector = LossDetector()

  private var delivered: UInt64 = 0
  private var deliveredTime = Instant.origin
  private var flightStart = Instant.origin

  init(initialTSN: UInt32) {
    cumulativeAck = initialTSN &- 1
  }

  var nextTSN: UInt32 { cumulativeAck &+ 1 &+ UInt32(truncatingIfNeeded: count) }
  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count >= Self.limit }

  private func slot(_ index: Int) -> Int { (head &+ index) & (ring.count &- 1) }
  private func tsn(_ index: Int) -> UInt32 { cumulativeAck &+ 1 &+ UInt32(truncatingIfNeeded: index) }

  /// The position of a TSN, or nil when it is not outstanding.
  private func index(of tsn: UInt32) -> Int? {
    let distance = tsn &- cumulativeAck &- 1
    return distance < UInt32(truncatingIfNeeded: count) ? Int(distance) : nil
  }

  // MARK: Sending

  /// Takes a fragment for its first transmission; gives its TSN.
  mutating func append(_ fragment: OutgoingFragment, applicationLimited: Bool, at now: Instant) -> UInt32 {
    let tsn = nextTSN
    var chunk = OutstandingChunk.free
    chunk.message = fragment.message
    chunk.offset = fragment.offset
    chunk.length = fragment.length
    chunk.flags = fragment.flags
    chunk.fragmentNumber = fragment.fragmentNumber
    chunk.isApplicationLimited = applicationLimited
    if fragment.flags & DataFlags.beginning != 0 { fragment.message.firstTSN = tsn }
    fragment.message.lastTSN = tsn
    push(chunk)
    launch(slot(count - 1), at: now)
    return tsn
  }

  /// A TSN that is never sent, so that FORWARD-TSN can skip a message whose rest was not sent either.
  mutating func appendAbandoned(restOf message: OutgoingMessage) {
    var chunk = OutstandingChunk.free
    chunk.message = message
    chunk.flags = (message.isUnordered ? DataFlags.unordered : 0) | DataFlags.end
    chunk.state = .abandoned
    message.lastTSN = nextTSN
    push(chunk)
  }

  private mutating func push(_ chunk: OutstandingChunk) {
    if count == ring.count { grow() }
    ring[slot(count)] = chunk
    count += 1
  }

  private mutating func grow() {
    var larger = [OutstandingChunk](repeating: .free, count: ring.count * 2)
    for index in 0..<count { larger[index] = ring[slot(index)] }
    ring = larger
    head = 0
  }

  private mutating func launch(_ slot: Int, at now: Instant) {
    if bytesInFlight == 0 {
      deliveredTime = now
      flightStart = now
    }
    ring[slot].state = .inFlight
    ring[slot].transmissions += 1
    ring[slot].sentAt = now
    ring[slot].deliveredAtSend = delivered
    ring[slot].deliveredTimeAtSend = deliveredTime
    ring[slot].flightStartAtSend = flightStart
    bytesInFlight += ring[slot].length
  }

  /// The first lost chunk's message, and how often it was sent.
  func firstLost() -> (message: OutgoingMessage, index: Int, transmissions: UInt32)? {
    guard lostCount > 0 else { return nil }
    for index in lostHint..<max(lostHint, count) {
      let slot = slot(index)
      if ring[slot].state == .lost, let message = ring[slot].message {
        return (message, index, ring[slot].transmissions)
      }
    }
    return nil
  }

  /// The newest chunk that is in flight: what a tail-loss probe repeats.
  func lastInFlight() -> Int? {
    var index = count - 1
    while index >= 0 {
      if ring[slot(index)].state == .inFlight { return index }
      index -= 1
    }
    return nil
  }

  /// The chunk at `index` and its TSN, to be written.
  func chunk(at index: Int) -> (chunk: OutstandingChunk, tsn: UInt32) {
    (ring[slot(index)], tsn(index))
  }

  func length(at index: Int) -> Int { ring[slot(index)].length }

  /// The chunk at `index` goes out again.
  mutating func retransmit(_ index: Int, at now: Instant) {
    let slot = slot(index)
    switch ring[slot].state {
    case .lost:
      lostCount -= 1
      lostHint = index
    case .inFlight: bytesInFlight -= ring[slot].length
    case .acknowledged, .abandoned: return
    }
    launch(slot, at: now)
  }

  // MARK: Acknowledgement

  /// Whether a SACK acknowledges what was never sent.
  func isBeyondSent(_ tsn: UInt32) -> Bool { tsn.distance(from: cumulativeAck) > count }

  /// Applies a SACK whose cumulative TSN is not older than ours.
  ///
  /// - Parameter gaps: its gap blocks, 4 bytes each.
  mutating func acknowledge(
    upTo tsn: UInt32, gaps: RawSpan, roundTrip: inout RoundTripEstimator, at now: Instant
  ) -> Acknowledgement {
    var result = Acknowledgement()
    var newest: OutstandingChunk?
    while count > 0, !cumulativeAck.isNewer(than: tsn), cumulativeAck != tsn {
      if ring[head].state != .acknowledged {
        account(head, index: 0, &result, &newest, roundTrip.minimum, now)
      }
      if ring[head].state == .acknowledged { acknowledgedCount -= 1 }
      ring[head] = .free
      head = (head &+ 1) & (ring.count &- 1)
      count -= 1
      cumulativeAck &+= 1
      lostHint = max(0, lostHint - 1)
      result.advanced = true
    }
    if gaps.byteCount >= 4 { applyGaps(gaps, &result, &newest, roundTrip.minimum, now) }
    if let newest { result.sample = sample(newest, &roundTrip, at: now) }
    noticeReneging()
    return result
  }

  private mutating func applyGaps(
    _ gaps: RawSpan, _ result: inout Acknowledgement, _ newest: inout OutstandingChunk?, _ minimum: Interval?,
    _ now: Instant
  ) {
    var reader = ByteReader(gaps)
    var floor = 0
    while let start = try? reader.uint16(), let end = try? reader.uint16() {
      // Blocks come in order; going back would let one SACK cost more than the window's length.
      let first = max(Int(start) - 1, floor)
      let last = min(Int(end) - 1, count - 1)
      guard first <= last else { continue }
      for index in first...last {
        let slot = slot(index)
        switch ring[slot].state {
        case .inFlight, .lost:
          account(slot, index: index, &result, &newest, minimum, now)
          ring[slot].state = .acknowledged
          acknowledgedCount += 1
        case .abandoned: account(slot, index: index, &result, &newest, minimum, now)
        case .acknowledged: break
        }
      }
      floor = last + 1
    }
  }

  private mutating func account(
    _ slot: Int, index: Int, _ result: inout Acknowledgement, _ newest: inout OutstandingChunk?,
    _ minimum: Interval?, _ now: Instant
  ) {
    let length = ring[slot].length
    switch ring[slot].state {
    case .inFlight: bytesInFlight -= length
    case .lost:
      lostCount -= 1
      result.spurious += 1
      detector.sawReordering()
    case .abandoned:
      guard ring[slot].mayStillArrive, highestSkipped.map({ tsn(index).isNewer(than: $0) }) ?? true else {
        return
      }
      ring[slot].mayStillArrive = false
    case .acknowledged: return
    }
    result.bytes += length
    delivered &+= UInt64(length)
    let sentAt = ring[slot].sentAt
    // Sooner than any round trip after it was repeated: the answer is to the first transmission.
    if ring[slot].transmissions == 2, ring[slot].state == .inFlight, let minimum, now - sentAt < minimum {
      result.spurious += 1
      detector.sawReordering()
    }
    detector.delivered(
      tsn: tsn(index), sentAt: sentAt, wasRetransmitted: ring[slot].transmissions > 1, minimum: minimum,
      at: now)
    if let other = newest, other.sentAt > sentAt { return }
    newest = ring[slot]
  }

  private mutating func sample(
    _ chunk: OutstandingChunk, _ roundTrip: inout RoundTripEstimator, at now: Instant
  ) -> DeliverySample {
    deliveredTime = now
    flightStart = chunk.sentAt
    var sample = DeliverySample(
      delivered: delivered, sentAfterDelivering: chunk.deliveredAtSend, rate: nil, roundTrip: nil,
      isApplicationLimited: chunk.isApplicationLimited)
    let interval = max(now - chunk.deliveredTimeAtSend, chunk.sentAt - chunk.flightStartAtSend)
    if interval > .zero, chunk.transmissions == 1 || interval >= (roundTrip.minimum ?? .zero) {
      sample.rate = Double(delivered &- chunk.deliveredAtSend) / interval.inSeconds
    }
    // Karn: a chunk that was sent twice says nothing about time.
    if chunk.transmissions == 1 {
      let measured = now - chunk.sentAt
      roundTrip.add(measured, at: now)
      sample.roundTrip = measured
    }
    return sample
  }

  /// A receiver may drop what it only reported by gap blocks; then the first outstanding chunk stays
  /// "acknowledged" although the cumulative TSN does not pass it.
  private mutating func noticeReneging() {
    guard count > 0, ring[head].state == .acknowledged else { return }
    ring[head].state = .lost
    acknowledgedCount -= 1
    lostCount += 1
    lostHint = 0
  }

  mutating func sawDuplicateReport() { detector.sawDuplicate() }

  // MARK: Loss

  /// Marks as lost what was sent long enough before something that was delivered.
  mutating func detectLosses(roundTrip: RoundTripEstimator, at now: Instant) -> Losses {
    var losses = Losses()
    guard detector.newestSentAt != nil, bytesInFlight > 0 else { return losses }
    let window = detector.reorderingWindow(
      minimum: roundTrip.minimum, smoothed: roundTrip.smoothed, reported: acknowledgedCount)
    let allowance = detector.roundTrip + window
    for index in 0..<count {
      let slot = slot(index)
      guard ring[slot].state == .inFlight else { continue }
      let sentAt = ring[slot].sentAt
      if detector.isUndecided(tsn: tsn(index), sentAt: sentAt) {
        // First transmissions are in the order of their TSNs, so nothing behind this one is older.
        if ring[slot].transmissions == 1 { break }
        continue
      }
      let deadline = sentAt + allowance
      if deadline <= now {
        markLost(slot, index: index)
        losses.packets += 1
        losses.bytes += ring[slot].length
      } else {
        losses.nextDeadline = .earliest(losses.nextDeadline, deadline)
      }
    }
    return losses
  }

  private mutating func markLost(_ slot: Int, index: Int) {
    ring[slot].state = .lost
    bytesInFlight -= ring[slot].length
    lostCount += 1
    lostHint = min(lostHint, index)
  }

  /// The retransmission timer ran out: all that is in flight counts as lost (RFC 9260 section 6.3.3 E3).
  mutating func markAllLost() {
    for index in 0..<count where ring[slot(index)].state == .inFlight { markLost(slot(index), index: index) }
    lostHint = 0
  }

  // MARK: Partial reliability

  /// Gives up every chunk of `message` that has a TSN (RFC 3758 section 3.5 A3: the whole message).
  mutating func abandon(_ message: OutgoingMessage) {
    message.isAbandoned = true
    guard count > 0 else { return }
    let first = max(0, message.firstTSN.distance(from: cumulativeAck &+ 1))
    let last = min(count - 1, message.lastTSN.distance(from: cumulativeAck &+ 1))
    guard first <= last else { return }
    for index in first...last {
      let slot = slot(index)
      guard ring[slot].message === message else { continue }
      switch ring[slot].state {
      case .inFlight:
        bytesInFlight -= ring[slot].length
        ring[slot].mayStillArrive = true
      case .lost: lostCount -= 1
      case .acknowledged: acknowledgedCount -= 1
      case .abandoned: break
      }
      ring[slot].state = .abandoned
    }
  }

  /// Messages in flight whose time is over.
  func expiredMessages(at now: Instant) -> [OutgoingMessage] {
    var found: [OutgoingMessage] = []
    for index in 0..<count {
      guard let message = ring[slot(index)].message, !message.isAbandoned, message.hasExpired(at: now),
        ring[slot(index)].state == .lost, found.last !== message
      else { continue }
      found.append(message)
    }
    return found
  }

  /// The TSN up to which the other side is to skip, and the abandoned messages on the way; nil when the
  /// first outstanding chunk is not abandoned (RFC 3758 section 3.5 C).
  func skipPoint() -> (tsn: UInt32, messages: [OutgoingMessage])? {
    var messages: [OutgoingMessage] = []
    var index = 0
    while index < count, ring[slot(index)].state == .abandoned {
      if let message = ring[slot(index)].message, messages.last !== message { messages.append(message) }
      index += 1
    }
    return index == 0 ? nil : (tsn(index - 1), messages)
  }

  mutating func noteSkipped(to tsn: UInt32) { highestSkipped = tsn }

  var startsWithAbandoned: Bool { count > 0 && ring[head].state == .abandoned }
}
