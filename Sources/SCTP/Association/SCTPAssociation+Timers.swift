import WireFormat

/// Everything that happens because nothing else did.
extension SCTPAssociation {
  /// When `handleTimeout` is due next; nil when nothing waits.
  package func nextTimeout() -> Instant? {
    var next = handshakeTimer.deadline
    next = .earliest(next, shutdownTimer.deadline)
    next = .earliest(next, retransmissionDeadline)
    next = .earliest(next, probeDeadline)
    next = .earliest(next, lossDeadline)
    next = .earliest(next, ackDeadline)
    next = .earliest(next, heartbeatDeadline)
    next = .earliest(next, resets.request?.deadline)
    return next
  }

  package func handleTimeout(at now: Instant) {
    guard !state.isClosed else { return }
    if handshakeTimer.isDue(at: now) { handshakeTimedOut(at: now) }
    if shutdownTimer.isDue(at: now) { shutdownTimedOut(at: now) }
    if let deadline = ackDeadline, deadline <= now {
      ackDeadline = nil
      isAckDue = true
    }
    if let deadline = lossDeadline, deadline <= now {
      lossDeadline = nil
      detectLosses(at: now)
    }
    if let deadline = retransmissionDeadline, deadline <= now {
      retransmissionTimedOut(at: now)
    } else if let deadline = probeDeadline, deadline <= now {
      probeDeadline = nil
      isProbeDue = true
      counters.tailLossProbes += 1
    }
    if let deadline = resets.request?.deadline, deadline <= now { resetTimedOut(at: now) }
    if let deadline = heartbeatDeadline, deadline <= now { heartbeatDue(at: now) }
    afterInput(at: now)
  }

  private func handshakeTimedOut(at now: Instant) {
    guard handshakeTimer.attempts < configuration.maximumInitRetransmissions else {
      return close(.handshakeTimedOut)
    }
    handshakeTimer.backOff(limit: configuration.maximumRTO, at: now)
    switch state {
    case .cookieWait: repeatControl(localInit)
    case .cookieEchoed(let echo): repeatControl(echo)
    default: handshakeTimer.stop()
    }
  }

  private func repeatControl(_ chunk: [UInt8]) {
    controlChunks.removeAll()
    controlChunks.append(chunk)
  }

  private func shutdownTimedOut(at now: Instant) {
    guard countError() else { return }
    shutdownTimer.backOff(limit: configuration.maximumRTO, at: now)
    switch state {
    case .shutdownSent: queueShutdown()
    case .shutdownAckSent: queueControl(ChunkWriter.chunk(ChunkType.shutdownAck))
    default: shutdownTimer.stop()
    }
  }

  /// RFC 9260 section 8.1. False when that was one too many.
  private func countError() -> Bool {
    errorCount += 1
    guard errorCount > configuration.maximumRetransmissions else { return true }
    abort(
      cause: ChunkWriter.cause(ErrorCause.userInitiatedAbort, text: "no answer"), .peerUnreachable)
    return false
  }

  private func retransmissionTimedOut(at now: Instant) {
    retransmissionDeadline = nil
    probeDeadline = nil
    lossDeadline = nil
    guard !outstanding.isEmpty else { return }
    guard countError() else { return }
    counters.timeouts += 1
    if outstanding.bytesInFlight > 0 || outstanding.lostCount > 0 {
      congestion.timedOut(roundTrip: roundTrip)
      outstanding.markAllLost()
    }
    roundTrip.backOff()
    abandonExpired(at: now)
    if outstanding.startsWithAbandoned { isForwardTSNDue = true }
    retransmissionDeadline = now + roundTrip.timeout
  }

  private func resetTimedOut(at now: Instant) {
    guard var request = resets.request, countError() else { return }
    request.attempts += 1
    request.deadline = nil
    request.isTransmissionDue = true
    resets.request = request
  }

  private func heartbeatDue(at now: Instant) {
    guard case .established = state else {
      heartbeatDeadline = nil
      return
    }
    if heartbeatNonce != nil {
      heartbeatNonce = nil
      guard countError() else { return }
    }
    // Traffic that is acknowledged shows as much (section 8.3).
    if outstanding.isEmpty {
      let nonce = random.next()
      heartbeatNonce = nonce
      var info = ByteWriter(capacity: 16)
      info.write(nonce)
      info.write(UInt64(bitPattern: now.nanoseconds))
      queueControl(
        ChunkWriter.chunk(
          ChunkType.heartbeat, ChunkWriter.parameter(ParameterType.heartbeatInfo, info.bytes)))
    }
    let pause = heartbeatNonce == nil ? configuration.heartbeatInterval : configuration.heartbeatInterval / 2
    heartbeatDeadline = now + pause + roundTrip.timeout
  }
}
