import WireFormat

/// INIT, INIT ACK, COOKIE ECHO, COOKIE ACK and all their collisions (RFC 9260 sections 5.1 and 5.2).
extension SCTPAssociation {
  /// Our INIT, or the base of an INIT ACK.
  func initiation(tag: UInt32, initialTSN: UInt32) -> InitiationChunk {
    var chunk = InitiationChunk(
      initiateTag: tag, receiveWindow: UInt32(clamping: receiveBufferSize),
      outboundStreams: configuration.maximumStreams, inboundStreams: configuration.maximumStreams,
      initialTSN: initialTSN)
    chunk.supportsForwardTSN = true
    chunk.supportedExtensions = [ChunkType.reconfiguration, ChunkType.forwardTSN]
    if configuration.offersInterleaving {
      chunk.supportedExtensions += [ChunkType.interleavedData, ChunkType.interleavedForwardTSN]
    }
    if configuration.offersZeroChecksum {
      chunk.zeroChecksumMethod = InitiationChunk.dtlsErrorDetection
    }
    return chunk
  }

  /// An INIT, in whatever state: answered with a cookie, and nothing else changes (section 5.2.2).
  func handleInit(_ value: RawSpan, at now: Instant) {
    guard let initiation = try? InitiationChunk(value: value) else {
      counters.packetsDropped += 1
      return
    }
    guard initiation.isAcceptable else {
      if initiation.initiateTag != 0 {
        reply(
          tag: initiation.initiateTag,
          ChunkWriter.chunk(
            ChunkType.abort,
            ChunkWriter.cause(ErrorCause.protocolViolation, text: "INIT with a zero or too small field")))
      }
      return
    }
    switch state {
    case .closed: return
    case .shutdownAckSent:
      // Section 5.2.2: the other side did not see our SHUTDOWN ACK.
      queueControl(ChunkWriter.chunk(ChunkType.shutdownAck))
    case .idle, .cookieWait:
      acknowledge(initiation, tag: localTag, initialTSN: localInitialTSN, tieTags: (0, 0), at: now)
    case .cookieEchoed:
      acknowledge(
        initiation, tag: localTag, initialTSN: localInitialTSN, tieTags: (localTag, peerTag), at: now)
    case .established
    where isSetUpByDescriptions && initiation.initiateTag == peerTag
      && initiation.initialTSN == resets.expectedSequence && !received.hasGaps
      && received.cumulative == initiation.initialTSN &- 1:
      // The other side's description promised to do without a handshake, and it makes one all the same: the
      // association is the one that we have (case D of section 5.2.4 follows).
      acknowledge(initiation, tag: localTag, initialTSN: localInitialTSN, tieTags: (0, 0), at: now)
    case .established, .shutdownPending, .shutdownSent, .shutdownReceived:
      acknowledge(
        initiation, tag: Self.tag(&random), initialTSN: random.uint32(), tieTags: (localTag, peerTag), at: now
      )
    }
  }

  private func acknowledge(
    _ initiation: InitiationChunk, tag: UInt32, initialTSN: UInt32, tieTags: (UInt32, UInt32), at now: Instant
  ) {
    let cookie = StateCookie(
      localTag: tag, peerTag: initiation.initiateTag, localInitialTSN: initialTSN,
      peerInitialTSN: initiation.initialTSN, peerReceiveWindow: initiation.receiveWindow,
      outgoingStreams: min(configuration.maximumStreams, initiation.inboundStreams),
      incomingStreams: min(configuration.maximumStreams, initiation.outboundStreams),
      features: AssociationFeatures(peer: initiation, configuration: configuration),
      localTieTag: tieTags.0, peerTieTag: tieTags.1, createdAt: now)
    guard let sealed = cookies.seal(cookie) else { return }
    var answer = self.initiation(tag: tag, initialTSN: initialTSN)
    answer.cookie = sealed
    answer.unrecognized = initiation.unrecognized
    reply(tag: initiation.initiateTag, answer.bytes)
  }

  func handleInitAck(_ value: RawSpan, at now: Instant) {
    // Section 5.2.3: in any other state it is a late duplicate.
    guard case .cookieWait = state else { return }
    guard let answer = try? InitiationChunk(value: value) else {
      counters.packetsDropped += 1
      return
    }
    guard answer.isAcceptable else { return violation("INIT ACK with a zero or too small field") }
    guard let cookie = answer.cookie, cookie.count <= configuration.mtu - 32 else {
      peerTag = answer.initiateTag
      return abort(
        cause: ChunkWriter.parameter(
          ErrorCause.missingParameter, [0, 0, 0, 1, 0, UInt8(ParameterType.cookie)]),
        .protocolViolation(detail: "INIT ACK without a usable cookie"))
    }
    controlChunks.removeAll()
    adopt(peer: answer)
    let echo = ChunkWriter.chunk(ChunkType.cookieEcho, cookie)
    state = .cookieEchoed(echo)
    controlChunks.append(echo)
    if !answer.unrecognized.isEmpty {
      queueControl(
        ChunkWriter.chunk(
          ChunkType.error,
          ChunkWriter.parameter(
            ErrorCause.unrecognizedParameters, ChunkWriter.join(answer.unrecognized))))
    }
    handshakeTimer.start(configuration.initialRTO, at: now)
  }

  /// A cookie came back. False when the rest of the packet is not to be looked at.
  func handleCookieEcho(_ value: RawSpan, packetTag: UInt32, at now: Instant) -> Bool {
    guard let cookie = cookies.open(value), cookie.localTag == packetTag else { return false }
    let isOurTag = cookie.localTag == localTag
    let isPeerTag = cookie.peerTag == peerTag
    let isKnown = isOurTag && isPeerTag
    if now - cookie.createdAt > configuration.cookieLifetime, !(isKnown && state.hasPeer) {
      return rejectStale(cookie, at: now)
    }
    switch state {
    case .closed: return false
    case .idle:
      guard isOurTag else { return false }
      establish(from: cookie, at: now)
    case .cookieWait, .cookieEchoed:
      // Section 5.2.4 B and D: INITs crossed, or ours was answered in two ways. Ours stays, the peer's counts.
      guard isOurTag else { return false }
      if isPeerTag { establishKnown(at: now) } else { establish(from: cookie, at: now) }
    case .established, .shutdownPending, .shutdownSent, .shutdownReceived, .shutdownAckSent:
      return handleCookieInAssociation(cookie, isOurTag: isOurTag, isPeerTag: isPeerTag, at: now)
    }
    queueControl(ChunkWriter.chunk(ChunkType.cookieAck))
    return true
  }

  /// Section 5.2.4's table, where there is an association already.
  private func handleCookieInAssociation(
    _ cookie: StateCookie, isOurTag: Bool, isPeerTag: Bool, at now: Instant
  ) -> Bool {
    let tieTagsMatch = cookie.localTieTag == localTag && cookie.peerTieTag == peerTag
    switch (isOurTag, isPeerTag) {
    case (true, true):
      // D: our COOKIE ACK was lost.
      queueControl(ChunkWriter.chunk(ChunkType.cookieAck))
      return true
    case (false, false) where tieTagsMatch:
      // A: the other side restarted.
      if case .shutdownAckSent = state {
        queueControl(ChunkWriter.chunk(ChunkType.shutdownAck))
        queueControl(
          ChunkWriter.chunk(
            ChunkType.error, ChunkWriter.parameter(ErrorCause.cookieWhileShuttingDown, [])))
        return false
      }
      restart(from: cookie, at: now)
      queueControl(ChunkWriter.chunk(ChunkType.cookieAck))
      return true
    case (true, false)
    where outstanding.isEmpty && !received.hasGaps
      && outstanding.nextTSN == localInitialTSN:
      // B, as long as nothing was said in the association that it replaces.
      establish(from: cookie, at: now)
      queueControl(ChunkWriter.chunk(ChunkType.cookieAck))
      return true
    default:
      // C and all others: a cookie of an earlier attempt.
      return false
    }
  }

  private func rejectStale(_ cookie: StateCookie, at now: Instant) -> Bool {
    var staleness = ByteWriter(capacity: 4)
    let excess = now - cookie.createdAt - configuration.cookieLifetime
    staleness.write(UInt32(clamping: excess.wholeMicroseconds))
    reply(
      tag: cookie.peerTag,
      ChunkWriter.chunk(
        ChunkType.error, ChunkWriter.parameter(ErrorCause.staleCookie, staleness.bytes)))
    return false
  }

  /// The handshake that we began is answered by the cookie that it is about.
  private func establishKnown(at now: Instant) {
    controlChunks.removeAll()
    establish(at: now)
  }

  private func establish(from cookie: StateCookie, at now: Instant) {
    localTag = cookie.localTag
    peerTag = cookie.peerTag
    peerWindow = Int(cookie.peerReceiveWindow)
    outgoingStreams = cookie.outgoingStreams
    incomingStreams = cookie.incomingStreams
    features = cookie.features
    received = ReceivedTSNs(initialTSN: cookie.peerInitialTSN)
    resets.nextSequence = localInitialTSN
    resets.expectedSequence = cookie.peerInitialTSN
    controlChunks.removeAll()
    if state.hasPeer { handshakeTimer.stop() } else { establish(at: now) }
  }

  /// Section 5.2.4.1: everything starts anew, as if after a new handshake.
  private func restart(from cookie: StateCookie, at now: Instant) {
    flushMessages()
    localInitialTSN = cookie.localInitialTSN
    outstanding = RetransmissionQueue(initialTSN: localInitialTSN)
    congestion = CongestionController(
      mtu: configuration.mtu, initialPackets: configuration.initialWindowPackets)
    scheduler.removeAll()
    reassembly = ReassemblyQueue(maximumMessageSize: Self.messageLimit(configuration))
    resets = StreamReset(localInitialTSN: localInitialTSN, peerInitialTSN: cookie.peerInitialTSN)
    retransmissionDeadline = nil
    probeDeadline = nil
    lossDeadline = nil
    shutdownTimer.stop()
    isAckDue = false
    ackDeadline = nil
    events.append(.restarted)
    state = .idle
    establish(from: cookie, at: now)
  }

  func handleCookieAck(at now: Instant) {
    guard case .cookieEchoed = state else { return }
    establish(at: now)
  }

  /// The other side found our cookie too old: begin again (section 5.2.6).
  func handleStaleCookie(at now: Instant) {
    guard case .cookieEchoed = state else { return }
    peerTag = 0
    state = .cookieWait
    controlChunks.removeAll()
    controlChunks.append(localInit)
    handshakeTimer.start(configuration.initialRTO, at: now)
  }
}
