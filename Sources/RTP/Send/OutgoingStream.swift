import WireFormat

/// One SSRC that we send, with its retransmission stream: numbers, header extensions, history, reports.
///
/// Shared by ``VideoSender`` and ``AudioSender``, which know what goes into the packets.
package final class OutgoingStream {
  package let track: Int
  package let parameters: StreamParameters
  package var statistics = SenderStatistics()
  package private(set) var roundTripTime = Interval.milliseconds(100)

  private let pool: PacketPool
  private var nextSequence: UInt16
  private var nextRTXSequence: UInt16
  private var history: PacketHistory
  private var budget = RetransmissionBudget()
  private var isMidAcknowledged = false
  private var lastHighestSequence: UInt32?
  private var lastTimestamp: UInt32
  private var lastTimestampAt: Instant?
  /// Where extensions lie in the packets of the frame that is being built.
  private var layout = ExtensionLayout()

  struct ExtensionLayout {
    var transportSequenceOffset: Int?
    var absoluteSendTimeOffset: Int?
  }

  package init(
    track: Int, parameters: StreamParameters, historyLimits: PacketHistory.Limits, pool: PacketPool,
    random: inout RandomSource
  ) {
    self.track = track
    self.parameters = parameters
    self.pool = pool
    // Below 2^15, so that early loss near a wrap cannot mislead the peer's SRTP (RFC 3711 section 3.3.1).
    nextSequence = random.uint16() & 0x7FFF
    nextRTXSequence = random.uint16() & 0x7FFF
    lastTimestamp = random.uint32()
    history = PacketHistory(limits: historyLimits)
  }

  /// Whether padding can go out on this stream: only on RTX, and not before the first packet.
  package var canPad: Bool { parameters.rtx != nil && statistics.packetsSent > 0 }

  // MARK: Building packets

  /// The values that every packet of this stream carries at present.
  var commonExtensions: RTPExtensionValues {
    var values = RTPExtensionValues()
    if parameters.extensions.id(of: .absoluteSendTime) != nil { values.absoluteSendTime = 0 }
    if parameters.extensions.id(of: .transportSequenceNumber) != nil { values.transportSequenceNumber = 0 }
    if !isMidAcknowledged { values.mid = parameters.mid }
    return values
  }

  /// A packet with its header; the payload follows by the caller. Nil if it does not fit.
  func makePacket(
    timestamp: UInt32, marker: Bool, extensions: RTPExtensionValues, isFirstOfFrame: Bool,
    priority: PacketPriority, at now: Instant
  ) -> OutgoingPacket? {
    let buffer = pool.take()
    let header = RTPHeader(
      payloadType: parameters.payloadType, marker: marker, sequenceNumber: nextSequence,
      timestamp: timestamp, ssrc: parameters.ssrc)
    guard (try? header.write(into: buffer, extensions: extensions, map: parameters.extensions)) != nil else {
      pool.give(buffer)
      return nil
    }
    // All packets of a frame carry the same extensions.
    if isFirstOfFrame { layout = measure(buffer) }
    var packet = OutgoingPacket(
      buffer: buffer, priority: priority, track: track, sequenceNumber: nextSequence, enqueuedAt: now,
      transportSequenceOffset: layout.transportSequenceOffset,
      absoluteSendTimeOffset: layout.absoluteSendTimeOffset)
    packet.headerSize = buffer.count
    nextSequence &+= 1
    return packet
  }

  /// Bytes of header that packets with `extensions` have.
  func headerSize(with extensions: RTPExtensionValues) -> Int {
    let buffer = pool.take()
    defer { pool.give(buffer) }
    let header = RTPHeader(payloadType: 0, sequenceNumber: 0, timestamp: 0, ssrc: 0)
    try? header.write(into: buffer, extensions: extensions, map: parameters.extensions)
    return buffer.count
  }

  /// The timestamp of the newest frame and when it was captured, for sender reports.
  func note(timestamp: UInt32, capturedAt: Instant) {
    lastTimestamp = timestamp
    lastTimestampAt = capturedAt
  }

  func discard(_ packet: OutgoingPacket) { pool.give(packet.buffer) }

  private func measure(_ buffer: PacketBuffer) -> ExtensionLayout {
    var layout = ExtensionLayout()
    guard let header = try? RTPHeader(parsing: buffer.bytes) else { return layout }
    var elements = HeaderExtensionElements(of: header, in: buffer.bytes)
    while let element = elements.next() {
      switch parameters.extensions.kind(of: element.id) {
      case .transportSequenceNumber: layout.transportSequenceOffset = element.range.lowerBound
      case .absoluteSendTime: layout.absoluteSendTimeOffset = element.range.lowerBound
      default: break
      }
    }
    return layout
  }

  // MARK: Leaving

  /// A packet of this stream leaves now, stamped: counted and, if new, kept.
  func handleSent(_ packet: OutgoingPacket, at now: Instant) {
    let payload = max(0, packet.buffer.count - packet.headerSize)
    switch packet.priority {
    case .audio, .video:
      statistics.packetsSent += 1
      statistics.bytesSent += payload
      if parameters.answersNACK { history.store(packet, at: now) }
    case .retransmission:
      statistics.retransmittedPacketsSent += 1
      statistics.retransmittedBytesSent += payload
    case .padding:
      statistics.paddingBytesSent += packet.buffer.count
    }
  }

  func setTargetBitrate(_ bitrate: Int, at now: Instant) {
    statistics.targetBitrate = bitrate
    budget.setRate(bitrate, at: now)
  }

  // MARK: Sending again

  /// Hands on the packet `sequence` once more, as RTX where negotiated; nothing when it is forgotten, too recent
  /// or the budget is used up.
  ///
  /// A packet whose first repair was lost as well goes out twice: the picture has waited for two round trips,
  /// and such packets are a few in ten thousand.
  func makeRetransmissions(_ sequence: UInt16, at now: Instant, _ body: (OutgoingPacket) -> Void) {
    guard let stored = history.takeForResend(sequence, roundTripTime: roundTripTime, at: now) else { return }
    for _ in 0..<(stored.resends > 0 ? 2 : 1) {
      guard budget.take(stored.buffer.count, at: now),
        let packet = repeatPacket(stored, priority: .retransmission, at: now)
      else { return }
      body(packet)
    }
  }

  /// A packet that carries nothing new, of about `size` bytes; nil without RTX.
  func makePadding(_ size: Int, at now: Instant) -> OutgoingPacket? {
    guard let rtx = parameters.rtx, canPad else { return nil }
    // Plain padding cannot exceed 255 bytes; a repeated packet can, and may even be of use.
    if size > 300, let stored = history.newestPacket(at: now), stored.buffer.count > 300 {
      return repeatPacket(stored, priority: .padding, at: now)
    }
    let buffer = pool.take()
    let header = RTPHeader(
      payloadType: rtx.payloadType, sequenceNumber: nextRTXSequence, timestamp: lastTimestamp, ssrc: rtx.ssrc)
    let count = min(max(size - 32, 1), 255)
    do {
      try header.write(into: buffer, extensions: commonExtensions, map: parameters.extensions)
      let layout = measure(buffer)
      try buffer.appendZeros(count - 1)
      try buffer.append(UInt8(truncatingIfNeeded: count))
      buffer.set(0xA0 as UInt8 | ((buffer.bytes.byte(at: 0) ?? 0) & 0x10), at: 0)
      nextRTXSequence &+= 1
      return OutgoingPacket(
        buffer: buffer, priority: .padding, track: track, enqueuedAt: now,
        transportSequenceOffset: layout.transportSequenceOffset,
        absoluteSendTimeOffset: layout.absoluteSendTimeOffset)
    } catch {
      pool.give(buffer)
      return nil
    }
  }

  private func repeatPacket(
    _ stored: PacketHistory.Stored, priority: PacketPriority, at now: Instant
  ) -> OutgoingPacket? {
    let buffer = pool.take()
    do {
      if let rtx = parameters.rtx {
        let header = try RTPHeader(parsing: stored.buffer.bytes)
        try RTX.wrap(
          stored.buffer.bytes, header: header, payloadType: rtx.payloadType, sequenceNumber: nextRTXSequence,
          ssrc: rtx.ssrc, into: buffer)
        nextRTXSequence &+= 1
      } else {
        try buffer.assign(stored.buffer.bytes)
      }
    } catch {
      pool.give(buffer)
      return nil
    }
    var packet = OutgoingPacket(
      buffer: buffer, priority: priority, track: track, enqueuedAt: now,
      transportSequenceOffset: stored.transportSequenceOffset,
      absoluteSendTimeOffset: stored.absoluteSendTimeOffset)
    packet.headerSize = stored.headerSize
    return packet
  }

  // MARK: Reports

  /// The peer has reported on this SSRC. Returns how many packets it expected and lost since its last report.
  func handle(_ block: ReportBlock, now: NTPTime) -> (expected: Int, lost: Double) {
    isMidAcknowledged = true
    statistics.fractionLost = Double(block.fractionLost) / 256
    statistics.packetsLost = Int(block.cumulativeLost)
    statistics.jitter = block.jitter
    if let measured = block.roundTripTime(at: now) { note(roundTripTime: measured) }
    let expected = lastHighestSequence.map { max(0, block.highestSequence.distance(from: $0)) } ?? 0
    lastHighestSequence = block.highestSequence
    return (expected, Double(expected) * Double(block.fractionLost) / 256)
  }

  func setRoundTripTime(_ roundTripTime: Interval) {
    self.roundTripTime = roundTripTime
  }

  private func note(roundTripTime measured: Interval) {
    roundTripTime = measured
    statistics.roundTripTime = measured
    statistics.totalRoundTripTime += measured
    statistics.roundTripTimeMeasurements += 1
  }

  /// The stream's sender report; nil before the first packet (RFC 3550 section 6.4).
  func senderReport(at now: Instant, clock: WallClock) -> SenderReport? {
    guard statistics.packetsSent > 0, let at = lastTimestampAt else { return nil }
    let ticks = Int64(((now - at).inSeconds * Double(parameters.clockRate)).rounded())
    return SenderReport(
      ssrc: parameters.ssrc, ntpTime: clock.time(at: now),
      rtpTimestamp: lastTimestamp &+ UInt32(truncatingIfNeeded: ticks),
      packetCount: UInt32(truncatingIfNeeded: statistics.packetsSent),
      octetCount: UInt32(truncatingIfNeeded: statistics.bytesSent))
  }
}
