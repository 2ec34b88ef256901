import WireFormat

/// Stream reset, which closes data channels (RFC 6525).
extension SCTPAssociation {
  /// Resets our side of a stream as soon as what is queued on it was sent.
  package func resetOutgoingStream(_ stream: UInt16, at now: Instant) {
    guard !state.isClosed, stream < outgoingStreams, !resets.contains(stream) else { return }
    scheduler[stream].isClosing = true
    resets.wanted.append(stream)
  }

  /// Whether a stream's identifier is not free for a new use yet.
  package func isResetting(_ stream: UInt16) -> Bool { resets.contains(stream) }

  /// Makes a request of the streams whose queues are empty, when none is on its way.
  func makeResetRequest(at now: Instant) {
    guard resets.request == nil, !resets.wanted.isEmpty, state.sendsData else { return }
    // As many as fit into one chunk with room to spare.
    let ready = Array(resets.wanted.filter { scheduler.isIdle($0) }.prefix(256))
    guard !ready.isEmpty else { return }
    resets.wanted.removeAll { ready.contains($0) }
    guard features.reconfiguration else {
      // Nothing can be said about it: both halves end here.
      finishReset(of: ready)
      flushMessages()
      events.append(.incomingStreamsReset(ready))
      return
    }
    resets.request = StreamReset.Request(
      sequence: resets.nextSequence, streams: ready, lastTSN: outstanding.nextTSN &- 1)
    resets.nextSequence &+= 1
  }

  private func finishReset(of streams: [UInt16]) {
    for stream in streams { scheduler[stream].reset() }
    events.append(.outgoingStreamsReset(streams))
  }

  func handleReconfiguration(_ value: RawSpan, at now: Instant) {
    guard state.hasPeer, features.reconfiguration else { return }
    var reader = ByteReader(value)
    var count = 0
    // Section 3.1: at most two parameters.
    while reader.remaining >= 4, count < 2, let (type, length) = try? reader.parameterHeader(),
      let content = try? reader.bytes(length)
    {
      reader.skipPadding(after: length)
      count += 1
      handleResetParameter(type, content, at: now)
    }
  }

  private func handleResetParameter(_ type: UInt16, _ content: RawSpan, at now: Instant) {
    var reader = ByteReader(content)
    guard let sequence = try? reader.uint32() else { return }
    switch type {
    case ParameterType.resetResponse:
      guard let result = try? reader.uint32() else { return }
      handleResetResponse(sequence, result, at: now)
    case ParameterType.outgoingReset:
      guard (try? reader.uint32()) != nil, let lastTSN = try? reader.uint32() else { return }
      guard isNewRequest(sequence) else { return }
      let request = StreamReset.Deferred(sequence: sequence, streams: streamList(&reader), lastTSN: lastTSN)
      if resets.deferred?.sequence == sequence {
        respondReset(sequence, ResetResult.inProgress)
      } else {
        resets.deferred = request
        performDeferredReset(at: now)
      }
    case ParameterType.incomingReset:
      guard isNewRequest(sequence) else { return }
      for stream in streamList(&reader) { resetOutgoingStream(stream, at: now) }
      conclude(sequence, ResetResult.performed)
    case ParameterType.associationReset, ParameterType.addOutgoingStreams, ParameterType.addIncomingStreams:
      guard isNewRequest(sequence) else { return }
      conclude(sequence, ResetResult.denied)
    default: break
    }
  }

  private func streamList(_ reader: inout ByteReader) -> [UInt16] {
    var streams: [UInt16] = []
    while reader.remaining >= 2, streams.count < Int(configuration.maximumStreams),
      let stream = try? reader.uint16()
    {
      streams.append(stream)
    }
    return streams
  }

  /// Whether a request is the next one; the last one is answered again, others are refused.
  private func isNewRequest(_ sequence: UInt32) -> Bool {
    if sequence == resets.expectedSequence { return true }
    respondReset(
      sequence, sequence == resets.expectedSequence &- 1 ? resets.lastResult : ResetResult.badSequence)
    return false
  }

  private func conclude(_ sequence: UInt32, _ result: UInt32) {
    resets.expectedSequence = sequence &+ 1
    resets.lastResult = result
    respondReset(sequence, result)
  }

  private func respondReset(_ sequence: UInt32, _ result: UInt32) {
    var writer = ByteWriter(capacity: 8)
    writer.write(sequence)
    writer.write(result)
    queueControl(
      ChunkWriter.chunk(
        ChunkType.reconfiguration, ChunkWriter.parameter(ParameterType.resetResponse, writer.bytes)))
  }

  /// Performs the other side's request once all that it sent before has come (section 5.2.2). Until then
  /// nothing is answered, which spares the other side a round; only a repetition is told to wait.
  func performDeferredReset(at now: Instant) {
    guard let request = resets.deferred, !request.lastTSN.isNewer(than: received.cumulative) else { return }
    resets.deferred = nil
    reassembly.reset(request.streams)
    flushMessages()
    let affected = request.streams.isEmpty ? reassembly.knownStreams : request.streams
    events.append(.incomingStreamsReset(affected))
    conclude(request.sequence, ResetResult.performed)
  }

  private func handleResetResponse(_ sequence: UInt32, _ result: UInt32, at now: Instant) {
    guard var request = resets.request, request.sequence == sequence else { return }
    errorCount = 0
    if result == ResetResult.inProgress {
      request.deadline = now + roundTrip.timeout
      request.isTransmissionDue = false
      resets.request = request
      return
    }
    // Refused or not: the other side has been told, and there is nobody to ask again.
    resets.request = nil
    finishReset(of: request.streams)
  }
}
