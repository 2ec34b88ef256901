import WireFormat

/// The orderly end (RFC 9260 section 9.2).
extension SCTPAssociation {
  /// Ends once everything queued was delivered.
  package func shutdown(at now: Instant) {
    switch state {
    case .established:
      state = .shutdownPending
      advanceShutdown(at: now)
    case .idle: close(.shutdown)
    case .cookieWait, .cookieEchoed: abort(reason: "shut down in the handshake", at: now)
    default: break
    }
  }

  /// Sends what the state waits to send as soon as nothing is left to deliver.
  func advanceShutdown(at now: Instant) {
    guard scheduler.isEmpty, outstanding.isEmpty else { return }
    switch state {
    case .shutdownPending:
      state = .shutdownSent
      queueShutdown()
      shutdownTimer.start(roundTrip.timeout, at: now)
    case .shutdownReceived:
      state = .shutdownAckSent
      queueControl(ChunkWriter.chunk(ChunkType.shutdownAck))
      shutdownTimer.start(roundTrip.timeout, at: now)
    default: break
    }
  }

  func queueShutdown() {
    var writer = ByteWriter(capacity: 4)
    writer.write(received.cumulative)
    queueControl(ChunkWriter.chunk(ChunkType.shutdown, writer.bytes))
  }

  func handleShutdown(_ value: RawSpan, at now: Instant) {
    var reader = ByteReader(value)
    guard let tsn = try? reader.uint32() else { return }
    guard state.hasPeer else { return }
    guard !outstanding.isBeyondSent(tsn) else { return violation("SHUTDOWN acknowledges what was not sent") }
    if !outstanding.cumulativeAck.isNewer(than: tsn) {
      let empty: [UInt8] = []
      apply(upTo: tsn, gaps: empty.rawSpan, window: peerWindow + outstanding.bytesInFlight, at: now)
    }
    switch state {
    case .established, .shutdownPending: state = .shutdownReceived
    case .shutdownSent:
      // Both shut down at once.
      state = .shutdownAckSent
      queueControl(ChunkWriter.chunk(ChunkType.shutdownAck))
      shutdownTimer.start(roundTrip.timeout, at: now)
    default: break
    }
  }

  func handleShutdownAck(at now: Instant) {
    switch state {
    case .shutdownSent, .shutdownAckSent:
      let tag = peerTag
      close(.shutdown)
      reply(tag: tag, ChunkWriter.chunk(ChunkType.shutdownComplete))
    case .cookieWait, .cookieEchoed:
      // Section 8.5.1 E: of an association that is gone; the T bit says whose tag this is.
      reply(tag: localTag, ChunkWriter.chunk(ChunkType.shutdownComplete, flags: 1))
    default: break
    }
  }

  func handleShutdownComplete() {
    if case .shutdownAckSent = state { close(.shutdown) }
  }
}
