import WireFormat

/// What comes in: the common header (RFC 9260 sections 6.8, 8.4, 8.5) and the dispatch of chunks.
extension SCTPAssociation {
  /// Takes one packet. One that is malformed or not ours is counted and dropped.
  package func handle(_ packet: RawSpan, at now: Instant) {
    guard let tag = accept(packet) else {
      counters.packetsDropped += 1
      return
    }
    counters.packetsReceived += 1
    var reader = ByteReader(packet.clamped(WireSize.commonHeader..<packet.byteCount))
    var sawData = false
    var isFirst = true
    while reader.remaining >= WireSize.chunkHeader {
      guard let type = try? reader.uint8(), let flags = try? reader.uint8(),
        let length = try? reader.uint16(),
        length >= 4, let value = try? reader.bytes(Int(length) - 4)
      else {
        counters.packetsDropped += 1
        break
      }
      reader.skipPadding(after: Int(length))
      guard isFirst || type != ChunkType.initiation, isFirst || type != ChunkType.initiationAck else { break }
      guard isTagValid(tag, for: type, flags: flags, isFirst: isFirst) else {
        counters.packetsDropped += 1
        break
      }
      isFirst = false
      if type == ChunkType.data || type == ChunkType.interleavedData {
        handleData(value, flags: flags, isInterleaved: type == ChunkType.interleavedData, at: now)
        sawData = true
      } else if !handleControl(type, flags: flags, value, tag: tag, at: now) {
        break
      }
      if state.isClosed { return }
    }
    if sawData { finishDataPacket(at: now) }
    afterInput(at: now)
  }

  /// Checks ports and checksum; gives the verification tag.
  private func accept(_ packet: RawSpan) -> UInt32? {
    var reader = ByteReader(packet)
    guard packet.byteCount >= WireSize.commonHeader + WireSize.chunkHeader,
      let source = try? reader.uint16(), let destination = try? reader.uint16(),
      source == configuration.remotePort, destination == configuration.localPort,
      let tag = try? reader.uint32(), let checksum = try? reader.uint32()
    else { return nil }
    if checksum == 0, configuration.offersZeroChecksum, reader.peek() != ChunkType.initiation { return tag }
    let head = CRC32C.checksum(packet.clamped(0..<8))
    let blank: [UInt8] = [0, 0, 0, 0]
    let middle = CRC32C.checksum(blank.rawSpan, continuing: head)
    let whole = CRC32C.checksum(packet.clamped(12..<packet.byteCount), continuing: middle)
    return whole.byteSwapped == checksum ? tag : nil
  }

  /// RFC 9260 section 8.5, with the exceptions of 8.5.1.
  private func isTagValid(_ tag: UInt32, for type: UInt8, flags: UInt8, isFirst: Bool) -> Bool {
    switch type {
    case ChunkType.initiation: return isFirst && tag == 0
    // Checked against the cookie, which after a restart names another tag.
    case ChunkType.cookieEcho: return isFirst
    case ChunkType.abort, ChunkType.shutdownComplete:
      return flags & 1 == 0 ? tag == localTag : peerTag != 0 && tag == peerTag
    default: return tag == localTag
    }
  }

  /// Whether the packet's other chunks are to be looked at.
  private func handleControl(
    _ type: UInt8, flags: UInt8, _ value: RawSpan, tag: UInt32, at now: Instant
  ) -> Bool {
    switch type {
    case ChunkType.initiation:
      handleInit(value, at: now)
      return false
    case ChunkType.initiationAck:
      handleInitAck(value, at: now)
      return false
    case ChunkType.cookieEcho: return handleCookieEcho(value, packetTag: tag, at: now)
    case ChunkType.cookieAck: handleCookieAck(at: now)
    case ChunkType.selectiveAck: handleSelectiveAck(value, at: now)
    case ChunkType.heartbeat: handleHeartbeat(value)
    case ChunkType.heartbeatAck: handleHeartbeatAck(value, at: now)
    case ChunkType.abort: handleAbort(value)
    case ChunkType.error: handleError(value, at: now)
    case ChunkType.shutdown: handleShutdown(value, at: now)
    case ChunkType.shutdownAck: handleShutdownAck(at: now)
    case ChunkType.shutdownComplete: handleShutdownComplete()
    case ChunkType.reconfiguration: handleReconfiguration(value, at: now)
    case ChunkType.forwardTSN: handleForwardTSN(value, at: now)
    case ChunkType.interleavedForwardTSN: handleInterleavedForwardTSN(value, at: now)
    default:
      if ChunkType.isReported(type), state.hasPeer {
        let unknown = ChunkWriter.chunk(type, flags: flags, value.clamped(0..<256).copyBytes())
        queueControl(
          ChunkWriter.chunk(
            ChunkType.error, ChunkWriter.parameter(ErrorCause.unrecognizedChunk, unknown)))
      }
      return !ChunkType.stopsPacket(type)
    }
    return true
  }

  private func handleHeartbeat(_ value: RawSpan) {
    guard state.hasPeer, value.byteCount <= configuration.mtu - 16 else { return }
    queueControl(ChunkWriter.chunk(ChunkType.heartbeatAck, value.copyBytes()))
  }

  private func handleHeartbeatAck(_ value: RawSpan, at now: Instant) {
    var reader = ByteReader(value)
    guard let (type, length) = try? reader.parameterHeader(), type == ParameterType.heartbeatInfo,
      length == 16,
      let nonce = try? reader.uint64(), let sentAt = try? reader.uint64(), nonce == heartbeatNonce
    else { return }
    heartbeatNonce = nil
    errorCount = 0
    let elapsed = now - Instant(nanoseconds: Int64(bitPattern: sentAt))
    if elapsed >= .zero { roundTrip.add(elapsed, at: now) }
  }

  private func handleAbort(_ value: RawSpan) {
    guard peerTag != 0 || !state.acceptsMessages || isWaitingForInitAck else { return }
    var reader = ByteReader(value)
    var cause: UInt16?
    var detail = ""
    if let (type, length) = try? reader.parameterHeader(), let content = try? reader.bytes(length) {
      cause = type
      if type == ErrorCause.userInitiatedAbort || type == ErrorCause.protocolViolation {
        detail = String(decoding: content.clamped(0..<256).copyBytes(), as: UTF8.self)
      }
    }
    close(.abortedByPeer(cause: cause, detail: detail))
  }

  private var isWaitingForInitAck: Bool {
    if case .cookieWait = state { true } else { false }
  }

  private func handleError(_ value: RawSpan, at now: Instant) {
    var reader = ByteReader(value)
    while reader.remaining >= 4, let (type, length) = try? reader.parameterHeader() {
      guard (try? reader.skip(length)) != nil else { return }
      reader.skipPadding(after: length)
      if type == ErrorCause.staleCookie { handleStaleCookie(at: now) }
    }
  }

  /// What any input may have made possible.
  func afterInput(at now: Instant) {
    reportLowWater()
    reportOversized()
    advanceShutdown(at: now)
  }

  func reportLowWater() {
    guard !scheduler.lowWaterCrossings.isEmpty else { return }
    for stream in scheduler.lowWaterCrossings { events.append(.bufferedAmountLow(stream: stream)) }
    scheduler.lowWaterCrossings.removeAll(keepingCapacity: true)
  }

  private func reportOversized() {
    guard !reassembly.oversized.isEmpty else { return }
    flushMessages()
    for stream in reassembly.oversized { events.append(.messageTooLarge(stream: stream)) }
    reassembly.oversized.removeAll()
  }
}
