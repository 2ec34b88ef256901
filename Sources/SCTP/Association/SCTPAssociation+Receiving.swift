import WireFormat

/// DATA, I-DATA and what skips them (RFC 9260 section 6.2, RFC 8260, RFC 3758).
extension SCTPAssociation {
  func handleData(_ value: RawSpan, flags: UInt8, isInterleaved: Bool, at now: Instant) {
    guard state.receivesData else { return }
    guard isInterleaved == features.interleaving else {
      return violation(isInterleaved ? "I-DATA was not negotiated" : "DATA after I-DATA was negotiated")
    }
    var reader = ByteReader(value)
    guard let fragment = try? Self.fragment(&reader, flags: flags, isInterleaved: isInterleaved) else {
      return violation("DATA shorter than its header")
    }
    let payload = reader.rest()
    guard payload.byteCount > 0 else {
      var tsn = ByteWriter(capacity: 4)
      tsn.write(fragment.tsn)
      return abort(
        cause: ChunkWriter.parameter(ErrorCause.noUserData, tsn.bytes),
        .protocolViolation(detail: "DATA without user data"))
    }
    switch received.verdict(on: fragment.tsn) {
    case .duplicate:
      counters.duplicateChunks += 1
      received.noteDuplicate(fragment.tsn)
      isAckDue = true
    case .outOfWindow: isAckDue = true
    case .new: store(fragment, payload)
    }
    if flags & DataFlags.immediate != 0 { isAckDue = true }
  }

  private static func fragment(
    _ reader: inout ByteReader, flags: UInt8, isInterleaved: Bool
  ) throws(WireError) -> InboundFragment {
    let tsn = try reader.uint32()
    let stream = try reader.uint16()
    let sequence = UInt32(try reader.uint16())
    guard isInterleaved else {
      let payloadProtocol = try reader.uint32()
      return InboundFragment(
        tsn: tsn, stream: stream, flags: flags, message: sequence, position: tsn,
        payloadProtocol: payloadProtocol)
    }
    let message = try reader.uint32()
    // The same field is the payload protocol in a first fragment, and the fragment's number in others.
    let shared = try reader.uint32()
    let isFirst = flags & DataFlags.beginning != 0
    return InboundFragment(
      tsn: tsn, stream: stream, flags: flags, message: message, position: isFirst ? 0 : shared,
      payloadProtocol: isFirst ? shared : 0)
  }

  private func store(_ fragment: InboundFragment, _ payload: RawSpan) {
    guard fragment.stream < incomingStreams else {
      received.insert(fragment.tsn)
      var cause = ByteWriter(capacity: 4)
      cause.write(fragment.stream)
      cause.write(UInt16(0))
      queueControl(
        ChunkWriter.chunk(ChunkType.error, ChunkWriter.parameter(ErrorCause.invalidStream, cause.bytes)))
      return
    }
    if reassembly.usedBytes + payload.byteCount > receiveBufferSize {
      // Only what helps to empty the buffer is let in: the next TSN, up to a margin that covers one message.
      let isHelpful = fragment.tsn == received.cumulative &+ 1 || reassembly.continues(fragment)
      guard isHelpful, reassembly.usedBytes < receiveBufferSize * 2 else {
        isAckDue = true
        return
      }
    }
    let hadGaps = received.hasGaps
    received.insert(fragment.tsn)
    // Section 6.7: a gap, and its filling, are reported at once.
    if hadGaps || received.hasGaps { isAckDue = true }
    do {
      try reassembly.accept(fragment, payload)
    } catch {
      violation(error.detail)
    }
  }

  /// After the last chunk of a packet with data: acknowledge every second packet, or after a delay.
  func finishDataPacket(at now: Instant) {
    packetsSinceAck += 1
    if packetsSinceAck >= 2 {
      isAckDue = true
    } else if ackDeadline == nil {
      ackDeadline = now + configuration.sackDelay
    }
    if case .shutdownSent = state {
      // Section 9.2: each such packet is answered with SHUTDOWN and a SACK.
      queueShutdown()
      isAckDue = true
    }
    performDeferredReset(at: now)
  }

  /// Bytes that the other side may still send.
  var receiveWindow: Int { max(0, receiveBufferSize - reassembly.usedBytes) }

  func handleForwardTSN(_ value: RawSpan, at now: Instant) {
    guard state.receivesData, features.forwardTSN, !features.interleaving else { return }
    var reader = ByteReader(value)
    guard let tsn = try? reader.uint32() else { return violation("FORWARD TSN too short") }
    isAckDue = true
    guard received.skip(to: tsn) else { return }
    reassembly.skip(toTSN: tsn)
    while reader.remaining >= 4, let stream = try? reader.uint16(), let sequence = try? reader.uint16() {
      guard stream < incomingStreams else { continue }
      reassembly.skipOrdered(stream: stream, upTo: UInt32(sequence))
    }
    performDeferredReset(at: now)
  }

  func handleInterleavedForwardTSN(_ value: RawSpan, at now: Instant) {
    guard state.receivesData, features.forwardTSN, features.interleaving else { return }
    var reader = ByteReader(value)
    guard let tsn = try? reader.uint32() else { return violation("I-FORWARD TSN too short") }
    isAckDue = true
    guard received.skip(to: tsn) else { return }
    while reader.remaining >= 8, let stream = try? reader.uint16(), let flags = try? reader.uint16(),
      let message = try? reader.uint32()
    {
      guard stream < incomingStreams else { continue }
      if flags & 1 != 0 {
        reassembly.skipUnordered(stream: stream, upTo: message)
      } else {
        reassembly.skipOrdered(stream: stream, upTo: message)
      }
    }
    performDeferredReset(at: now)
  }
}
