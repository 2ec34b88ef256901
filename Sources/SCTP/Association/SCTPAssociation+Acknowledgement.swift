import WireFormat

/// SACK and what it sets free (RFC 9260 section 6.2.1).
extension SCTPAssociation {
  func handleSelectiveAck(_ value: RawSpan, at now: Instant) {
    guard state.hasPeer else { return }
    var reader = ByteReader(value)
    guard let tsn = try? reader.uint32(), let window = try? reader.uint32(),
      let gapCount = try? reader.uint16(),
      let duplicateCount = try? reader.uint16(), let gaps = try? reader.bytes(Int(gapCount) * 4)
    else { return violation("SACK shorter than it says") }
    // One that was overtaken by a newer one says nothing.
    guard !outstanding.cumulativeAck.isNewer(than: tsn) else { return }
    guard !outstanding.isBeyondSent(tsn) else { return violation("SACK acknowledges what was not sent") }
    if duplicateCount > 0 { outstanding.sawDuplicateReport() }
    apply(upTo: tsn, gaps: gaps, window: Int(window), at: now)
  }

  func apply(upTo tsn: UInt32, gaps: RawSpan, window: Int, at now: Instant) {
    let result = outstanding.acknowledge(upTo: tsn, gaps: gaps, roundTrip: &roundTrip, at: now)
    peerWindow = window - outstanding.bytesInFlight
    congestion.acknowledged(
      result.bytes, wasLimited: wasWindowLimited, sample: result.sample, roundTrip: roundTrip)
    congestion.provedSpurious(packets: result.spurious)
    // Any SACK shows that the other side is there, even one that closes its window (section 6.1 A).
    errorCount = 0
    repairCredit = outstanding.lostCount > 0 ? min(repairCredit + result.bytes / 2, congestion.window) : 0
    if result.advanced {
      // The next hole blocks everything behind it at the other side.
      if outstanding.lostCount > 0 { repairCredit = max(repairCredit, configuration.mtu) }
      roundTrip.settle()
      isForwardTSNDue = outstanding.startsWithAbandoned
    } else if outstanding.startsWithAbandoned, let sentAt = forwardTSNSentAt,
      now - sentAt > (roundTrip.smoothed ?? roundTrip.timeout)
    {
      // RFC 3758 section 3.5 C3: said again while SACKs show that it was lost.
      isForwardTSNDue = true
    }
    if result.bytes > 0 || result.advanced {
      isProbeDue = false
      restartTimers(at: now)
    }
    detectLosses(at: now)
  }

  /// RACK: at each SACK, and when its timer says so.
  func detectLosses(at now: Instant) {
    let losses = outstanding.detectLosses(roundTrip: roundTrip, at: now)
    lossDeadline = losses.nextDeadline
    guard losses.packets > 0 else { return }
    // The first repair goes out at once (RFC 9260 section 7.2.4).
    repairCredit = max(repairCredit, configuration.mtu)
    congestion.lost(packets: losses.packets, bytes: losses.bytes, roundTrip: roundTrip)
    abandonExpired(at: now)
  }

  /// Gives up messages whose time or whose tries are over (RFC 3758 section 3.5 A).
  func abandonExpired(at now: Instant) {
    guard features.forwardTSN, outstanding.lostCount > 0 else { return }
    for message in outstanding.expiredMessages(at: now) { abandon(message) }
  }

  func abandon(_ message: OutgoingMessage) {
    guard !message.isAbandoned else { return }
    if !message.isWhollySent {
      scheduler.discardRest(of: message)
      // The unsent rest gets a TSN too: else everything sent may be acknowledged already, and nothing would
      // tell the other side to forget the beginning.
      outstanding.appendAbandoned(restOf: message)
    }
    outstanding.abandon(message)
    counters.messagesAbandoned += 1
    isForwardTSNDue = outstanding.startsWithAbandoned
  }

  /// Restarts T3 and the tail-loss probe after something was acknowledged or sent (section 6.3.2 R3).
  func restartTimers(at now: Instant) {
    guard !outstanding.isEmpty else {
      retransmissionDeadline = nil
      probeDeadline = nil
      lossDeadline = nil
      return
    }
    retransmissionDeadline = now + roundTrip.timeout
    armProbe(at: now)
  }

  /// RFC 8985 section 7.2: the probe goes out well before the retransmission timer.
  func armProbe(at now: Instant) {
    guard outstanding.bytesInFlight > 0, let smoothed = roundTrip.smoothed else {
      probeDeadline = nil
      return
    }
    // A lone packet may wait for the other side's delayed SACK, which RFC 9260 allows 200 ms on most stacks;
    // the I bit asks for an immediate one, so only a short allowance is made.
    let wait = max(.milliseconds(Int64(10)), smoothed + smoothed) + configuration.sackDelay
    probeDeadline = now + min(wait, roundTrip.timeout)
  }
}
