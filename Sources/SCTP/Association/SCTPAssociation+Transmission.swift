import WireFormat

/// What goes out: one packet a call (RFC 9260 sections 6.1, 6.10).
extension SCTPAssociation {
  /// Appends the next packet to `packet`. False, and nothing appended, when none is due.
  package func nextTransmit(into packet: PacketBuffer, at now: Instant) -> Bool {
    let start = packet.count
    do {
      if let reply = replies.popFirst() {
        try writeHeader(tag: reply.tag, to: packet)
        try packet.append(reply.chunk)
        finish(packet, from: start, isChecksumNeeded: true)
        return true
      }
      guard !state.isClosed, try writePacket(to: packet, from: start, at: now) else {
        packet.truncate(to: start)
        return false
      }
      return true
    } catch {
      // The buffer has no room for a packet: the caller's mistake, and nothing was taken that is not resent.
      packet.truncate(to: start)
      return false
    }
  }

  private func writeHeader(tag: UInt32, to packet: PacketBuffer) throws(WireError) {
    try packet.append(configuration.localPort)
    try packet.append(configuration.remotePort)
    try packet.append(tag)
    try packet.append(UInt32(0))
  }

  private func finish(_ packet: PacketBuffer, from start: Int, isChecksumNeeded: Bool) {
    counters.packetsSent += 1
    guard isChecksumNeeded else { return }
    let checksum = CRC32C.checksum(packet.bytes.clamped(start..<packet.count))
    packet.set(checksum.byteSwapped, at: start + 8)
  }

  private func writePacket(
    to packet: PacketBuffer, from start: Int, at now: Instant
  ) throws(WireError) -> Bool {
    let end = start + configuration.mtu
    var isHandshake = false
    try writeHeader(tag: peerTag, to: packet)
    while let chunk = controlChunks.first, packet.count + chunk.count <= max(end, start + 12 + chunk.count) {
      let isAlone = chunk.first == ChunkType.initiation
      if packet.count > start + 12, isAlone || packet.count + chunk.count > end { break }
      try packet.append(chunk)
      _ = controlChunks.popFirst()
      if isAlone || chunk.first == ChunkType.cookieEcho { isHandshake = true }
      if isAlone {
        // Sent before there is a peer: its tag is 0 (section 8.5.1 A).
        packet.set(UInt32(0), at: start + 4)
        break
      }
    }
    if state.hasPeer, !isHandshake { try writeAssociated(to: packet, end: end, at: now) }
    guard packet.count > start + 12 else { return false }
    finish(packet, from: start, isChecksumNeeded: isHandshake || !features.sendsZeroChecksum)
    if !scheduler.lowWaterCrossings.isEmpty { reportLowWater() }
    return true
  }

  private func writeAssociated(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    let sendsData = state.sendsData
    if isAckDue || (ackDeadline != nil && sendsData && isDataReady) {
      try writeSelectiveAck(to: packet, end: end)
    }
    if sendsData, !resets.wanted.isEmpty { makeResetRequest(at: now) }
    try writeResetRequest(to: packet, end: end, at: now)
    if isForwardTSNDue { try writeForwardTSN(to: packet, end: end, at: now) }
    if sendsData { try writeData(to: packet, end: end, at: now) }
  }

  // MARK: SACK

  private func writeSelectiveAck(to packet: PacketBuffer, end: Int) throws(WireError) {
    let room = end - packet.count - 16
    guard room >= 0 else { return }
    var duplicates = min(received.duplicates.count, room / 4)
    gapBlocks.removeAll(keepingCapacity: true)
    if received.hasGaps {
      received.gapBlocks(limit: room / 4, into: &gapBlocks)
      duplicates = min(duplicates, room / 4 - gapBlocks.count)
    }
    try packet.append(ChunkType.selectiveAck)
    try packet.append(UInt8(0))
    try packet.append(UInt16(truncatingIfNeeded: 16 + 4 * (gapBlocks.count + duplicates)))
    try packet.append(received.cumulative)
    try packet.append(UInt32(clamping: receiveWindow))
    try packet.append(UInt16(truncatingIfNeeded: gapBlocks.count))
    try packet.append(UInt16(truncatingIfNeeded: duplicates))
    for block in gapBlocks {
      try packet.append(block.start)
      try packet.append(block.end)
    }
    for tsn in received.duplicates.prefix(duplicates) { try packet.append(tsn) }
    received.clearDuplicates()
    isAckDue = false
    ackDeadline = nil
    packetsSinceAck = 0
  }

  // MARK: RE-CONFIG and FORWARD-TSN

  private func writeResetRequest(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    guard var request = resets.request, request.isTransmissionDue else { return }
    let chunk = request.chunk(responseSequence: resets.expectedSequence &- 1)
    guard packet.count + chunk.count <= end else { return }
    try packet.append(chunk)
    request.isTransmissionDue = false
    // The round trip's timeout backs off by the number of tries.
    let factor = Int64(1) &<< Int64(min(request.attempts, 5))
    request.deadline = now + min(configuration.maximumRTO, roundTrip.timeout * factor)
    resets.request = request
  }

  private func writeForwardTSN(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    guard let skip = outstanding.skipPoint() else {
      isForwardTSNDue = false
      return
    }
    let chunk = features.interleaving ? interleavedForwardTSN(skip) : forwardTSN(skip)
    guard packet.count + chunk.count <= end else { return }
    try packet.append(chunk)
    isForwardTSNDue = false
    forwardTSNSentAt = now
    outstanding.noteSkipped(to: skip.tsn)
    // It is repeated with T3 until the cumulative TSN has passed (RFC 3758 section 3.5 F).
    if retransmissionDeadline == nil { retransmissionDeadline = now + roundTrip.timeout }
  }

  /// At most so many streams are named, so that the chunk fits; streams left out are skipped later.
  private static let maximumSkipped = 100

  private func forwardTSN(_ skip: (tsn: UInt32, messages: [OutgoingMessage])) -> [UInt8] {
    var highest: [(stream: UInt16, sequence: UInt16)] = []
    for message in skip.messages where !message.isUnordered {
      if let index = highest.firstIndex(where: { $0.stream == message.stream }) {
        highest[index].sequence = message.sequence
      } else if highest.count < Self.maximumSkipped {
        highest.append((message.stream, message.sequence))
      }
    }
    var writer = ByteWriter(capacity: 8 + highest.count * 4)
    writer.write(skip.tsn)
    for (stream, sequence) in highest {
      writer.write(stream)
      writer.write(sequence)
    }
    return ChunkWriter.chunk(ChunkType.forwardTSN, writer.bytes)
  }

  private func interleavedForwardTSN(_ skip: (tsn: UInt32, messages: [OutgoingMessage])) -> [UInt8] {
    var highest: [(stream: UInt16, isUnordered: Bool, message: UInt32)] = []
    for message in skip.messages {
      if let index = highest.firstIndex(where: {
        $0.stream == message.stream && $0.isUnordered == message.isUnordered
      }) {
        if message.messageID.isNewer(than: highest[index].message) {
          highest[index].message = message.messageID
        }
      } else if highest.count < Self.maximumSkipped {
        highest.append((message.stream, message.isUnordered, message.messageID))
      }
    }
    var writer = ByteWriter(capacity: 8 + highest.count * 8)
    writer.write(skip.tsn)
    for (stream, isUnordered, message) in highest {
      writer.write(stream)
      writer.write(UInt16(isUnordered ? 1 : 0))
      writer.write(message)
    }
    return ChunkWriter.chunk(ChunkType.interleavedForwardTSN, writer.bytes)
  }

  // MARK: DATA

  private var dataHeaderSize: Int {
    features.interleaving ? WireSize.interleavedDataHeader : WireSize.dataHeader
  }

  /// Whether something would be sent now.
  private var isDataReady: Bool {
    if outstanding.lostCount > 0 {
      return outstanding.bytesInFlight < congestion.window || repairCredit >= configuration.mtu
    }
    return !scheduler.isEmpty && mayStartNew
  }

  /// Whether the windows let new data out (section 6.1 A and B).
  private var mayStartNew: Bool {
    if outstanding.isFull { return false }
    // Zero-window probe: one chunk may always be in flight.
    if peerWindow <= 0 { return outstanding.isEmpty }
    return outstanding.bytesInFlight < congestion.window
  }

  private func writeData(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    let before = packet.count
    ageWindow(at: now)
    try writeLost(to: packet, end: end, at: now)
    try writeNew(to: packet, end: end, at: now)
    let wasProbe = isProbeDue
    if isProbeDue, packet.count == before { try writeProbe(to: packet, end: end, at: now) }
    isProbeDue = false
    guard packet.count > before else { return }
    lastDataSentAt = now
    // The probe gets its chance to be answered before the timer strikes (RFC 8985 section 7.3).
    if retransmissionDeadline == nil || wasProbe { retransmissionDeadline = now + roundTrip.timeout }
    if wasProbe { probeDeadline = nil } else { armProbe(at: now) }
  }

  private func ageWindow(at now: Instant) {
    guard outstanding.isEmpty, !scheduler.isEmpty, let last = lastDataSentAt else { return }
    congestion.idled(for: now - last, timeout: roundTrip.timeout)
    lastDataSentAt = now
  }

  private func writeLost(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    while outstanding.lostCount > 0, let lost = outstanding.firstLost() {
      if features.forwardTSN, isGivenUp(lost.message, transmissions: lost.transmissions, at: now) {
        abandon(lost.message)
        if isForwardTSNDue { try writeForwardTSN(to: packet, end: end, at: now) }
        continue
      }
      let length = outstanding.length(at: lost.index)
      let isWindowFull = outstanding.bytesInFlight >= congestion.window
      guard !isWindowFull || repairCredit >= length else {
        wasWindowLimited = true
        return
      }
      guard packet.count + dataHeaderSize + WireSize.padded(length) <= end else { return }
      if isWindowFull { repairCredit -= length }
      outstanding.retransmit(lost.index, at: now)
      counters.chunksRetransmitted += 1
      let (chunk, tsn) = outstanding.chunk(at: lost.index)
      try write(chunk, tsn: tsn, to: packet)
    }
  }

  private func isGivenUp(_ message: OutgoingMessage, transmissions: UInt32, at now: Instant) -> Bool {
    if let limit = message.maxRetransmits, transmissions > limit { return true }
    return message.hasExpired(at: now)
  }

  private func writeNew(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    let whole = configuration.mtu - WireSize.commonHeader - dataHeaderSize
    while !scheduler.isEmpty {
      guard mayStartNew || isProbeDue && peerWindow > 0 && !outstanding.isFull else {
        // The other side's window is no reason to widen ours.
        wasWindowLimited = outstanding.bytesInFlight >= congestion.window
        return
      }
      let room = end - packet.count - dataHeaderSize
      switch scheduler.next(room: room, whole: whole, at: now) {
      case .nothing: break
      case .needsNewPacket: return
      case .expired(let message):
        abandonUnfinished(message)
      case .fragment(let fragment):
        isProbeDue = false
        peerWindow -= fragment.length
        let isLast = scheduler.isEmpty
        if isLast { wasWindowLimited = false }
        let tsn = outstanding.append(fragment, applicationLimited: isLast, at: now)
        counters.bytesSent &+= UInt64(fragment.length)
        try write(
          fragment.message, offset: fragment.offset, length: fragment.length,
          flags: fragment.flags | (wantsImmediateAck(isLast) ? DataFlags.immediate : 0),
          fragmentNumber: fragment.fragmentNumber, tsn: tsn, to: packet)
      }
    }
  }

  /// The I bit (RFC 9260 section 6.1): nothing follows, so a delayed SACK would only delay loss detection.
  /// In a long transfer the last chunk of a burst asks for it too, in short exchanges only every other time
  /// anyway.
  private func wantsImmediateAck(_ isLast: Bool) -> Bool {
    isLast && outstanding.bytesInFlight > configuration.mtu
  }

  /// The scheduler dropped a message that had begun: the rest gets its place among the skipped.
  private func abandonUnfinished(_ message: OutgoingMessage) {
    outstanding.appendAbandoned(restOf: message)
    outstanding.abandon(message)
    counters.messagesAbandoned += 1
    isForwardTSNDue = outstanding.startsWithAbandoned
  }

  /// A tail-loss probe without new data repeats the newest chunk (RFC 8985 section 7.3).
  private func writeProbe(to packet: PacketBuffer, end: Int, at now: Instant) throws(WireError) {
    guard let index = outstanding.lastInFlight() else { return }
    let length = outstanding.length(at: index)
    let (before, _) = outstanding.chunk(at: index)
    if let message = before.message, features.forwardTSN,
      isGivenUp(message, transmissions: before.transmissions, at: now)
    {
      return
    }
    guard packet.count + dataHeaderSize + WireSize.padded(length) <= end else { return }
    outstanding.retransmit(index, at: now)
    counters.chunksRetransmitted += 1
    var (chunk, tsn) = outstanding.chunk(at: index)
    chunk.flags |= DataFlags.immediate
    try write(chunk, tsn: tsn, to: packet)
  }

  private func write(_ chunk: OutstandingChunk, tsn: UInt32, to packet: PacketBuffer) throws(WireError) {
    guard let message = chunk.message else { return }
    try write(
      message, offset: chunk.offset, length: chunk.length, flags: chunk.flags,
      fragmentNumber: chunk.fragmentNumber, tsn: tsn, to: packet)
  }

  private func write(
    _ message: OutgoingMessage, offset: Int, length: Int, flags: UInt8, fragmentNumber: UInt32, tsn: UInt32,
    to packet: PacketBuffer
  ) throws(WireError) {
    let interleaved = features.interleaving
    try packet.append(interleaved ? ChunkType.interleavedData : ChunkType.data)
    try packet.append(flags)
    try packet.append(UInt16(truncatingIfNeeded: dataHeaderSize + length))
    try packet.append(tsn)
    try packet.append(message.stream)
    if interleaved {
      try packet.append(UInt16(0))
      try packet.append(message.messageID)
      try packet.append(flags & DataFlags.beginning != 0 ? message.payloadProtocol : fragmentNumber)
    } else {
      try packet.append(message.sequence)
      try packet.append(message.payloadProtocol)
    }
    let bytes = message.bytes
    try packet.append(bytes.rawSpan.clamped(offset..<(offset &+ length)))
    let padding = WireSize.padded(length) &- length
    if padding > 0 { try packet.appendZeros(padding) }
  }
}
