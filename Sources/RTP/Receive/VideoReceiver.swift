import WireFormat

/// Receives one remote video track: from RTP packets in any order to frames that a decoder can take, with the
/// feedback (NACK, PLI, FIR) that keeps them coming.
///
/// Feed it with ``handle(_:header:at:)`` and, when ``nextTimeout`` has passed, ``handleTimeout(at:)``; after
/// either, drain ``nextFrame(at:)`` and ``nextFeedback(at:)``. One owner, no locks.
///
/// A track has one media stream at a time. A packet with a new SSRC begins a new one, and the former is not
/// taken up again unless the new one falls silent.
package final class VideoReceiver {
  package private(set) var configuration: VideoReceiverConfiguration
  private let pool: PacketPool
  private var stream: VideoReceiveStream?
  private var retiredSSRCs: [UInt32] = []
  private var keyframes = KeyframeRequester()
  private var counters = VideoReceiverStatistics()
  private var firSequence: UInt8 = 0
  private var lastMediaArrival: Instant?
  private var formats: [VideoPayloadFormat?]
  private var reports = SenderReportClock(clockRate: 90_000)

  /// Retired SSRCs are remembered, so that their stragglers don't turn the track back; the oldest goes first.
  private static let maximumRetired = 8
  /// A keyframe's first packet may have been overtaken by its second.
  private static let reorderPatience = Interval.milliseconds(10)
  private static let silenceBeforeReturn = Interval.seconds(2)

  package init(configuration: VideoReceiverConfiguration, pool: PacketPool) {
    self.configuration = configuration
    self.pool = pool
    formats = Array(repeating: nil, count: 128)
    for (payloadType, format) in configuration.formats where payloadType < 128 {
      formats[Int(payloadType)] = format
    }
  }

  /// Whether frames are assembled. While false, packets are counted and dropped, and nothing is asked for;
  /// turning it on asks for a keyframe as soon as a stream is known.
  package var isEnabled = true {
    didSet {
      guard isEnabled != oldValue else { return }
      stream?.reset()
      keyframes.keyframeArrived()
    }
  }

  /// The measured round trip to the sender, which paces repeats of NACK and PLI.
  package var roundTripTime = Interval.milliseconds(100) {
    didSet {
      keyframes.roundTripTime = roundTripTime
      stream?.nacks.roundTripTime = roundTripTime
    }
  }

  /// The media stream's SSRC, once it is known.
  package var mediaSSRC: UInt32? { stream?.ssrc ?? configuration.signalledSSRC }

  // MARK: - Input

  /// Takes a decrypted RTP packet of this track; media, RTX and RED are told apart by payload type.
  ///
  /// The buffer belongs to the receiver from here on: it goes back to the pool when it is done with. Drop
  /// your own reference.
  ///
  /// - Parameter colourSpace: what the packet's header extensions say of it.
  package func handle(
    _ packet: consuming PacketBuffer, header: RTPHeader, colourSpace: VideoColourSpace? = nil, at now: Instant
  ) {
    guard header.payloadType < 128, let format = formats[Int(header.payloadType)] else {
      counters.packetsMalformed += 1
      pool.give(packet)
      return
    }
    do {
      switch format {
      case .media, .redundant: try receiveOriginal(packet, header, format, colourSpace, now)
      case .retransmission(let associated):
        try receiveRetransmission(packet, header, associated: associated, colourSpace, now)
      }
    } catch {
      // What it carried is lost, and was received: nobody will send it again.
      counters.packetsMalformed += 1
      pool.give(packet)
      if isEnabled, stream != nil { keyframes.need(at: now) }
    }
  }

  /// Takes the stream's sender report; those of other streams are ignored.
  package func handle(_ report: SenderReport, at now: Instant) {
    guard report.ssrc == mediaSSRC else { return }
    reports.handle(report, at: now)
  }

  /// The stream's sender said goodbye: the next packet may begin anew.
  package func handle(_ goodbye: Goodbye) {
    guard let ssrc = stream?.ssrc, goodbye.sources.contains(ssrc) else { return }
    retire()
  }

  /// The decoder can't go on: nothing but a keyframe is delivered until one has come.
  package func requestKeyframe(at now: Instant) {
    stream?.awaitKeyframe()
    keyframes.need(at: now)
  }

  package var nextTimeout: Instant? {
    guard isEnabled else { return nil }
    // Without a stream there is nobody to address a request to.
    guard let stream else { return nil }
    let request = canRequestKeyframe ? keyframes.nextTimeout : nil
    return .earliest(request, stream.nextTimeout(canRequest: configuration.canRequestRetransmission))
  }

  package func handleTimeout(at now: Instant) {
    checkStall(now)
  }

  // MARK: - Output

  /// The next frame for the decoder, in decoding order; nil when none is ready.
  package func nextFrame(at now: Instant) -> EncodedVideoFrame? {
    guard isEnabled, let stream, var frame = stream.nextFrame(at: now) else { return nil }
    if configuration.hasFrameMetadata { frame.metadata = FrameMetadataTrailer.strip(from: &frame.data) }
    counters.framesReceived += 1
    counters.codec = frame.codec
    if frame.isKeyframe {
      counters.keyframesReceived += 1
      keyframes.keyframeArrived()
      if frame.width > 0 {
        counters.frameWidth = frame.width
        counters.frameHeight = frame.height
      }
    }
    return frame
  }

  /// The next RTCP packet to send about this track; nil when there is nothing to say.
  package func nextFeedback(at now: Instant) -> RTCPPacket? {
    guard isEnabled, let stream else { return nil }
    if configuration.canRequestRetransmission {
      let lost = stream.nacks.takeRequests(at: now)
      if stream.nacks.takeGivenUp() { keyframes.need(at: now) }
      if !lost.isEmpty {
        counters.nackCount += UInt64(lost.count)
        return .nack(
          GenericNACK(senderSSRC: configuration.localSSRC, mediaSSRC: stream.ssrc, lost: lost))
      }
    }
    guard canRequestKeyframe, keyframes.takeRequest(at: now) else { return nil }
    if configuration.canSendPictureLoss {
      counters.pliCount += 1
      return .pictureLossIndication(
        PictureLossIndication(senderSSRC: configuration.localSSRC, mediaSSRC: stream.ssrc))
    }
    counters.firCount += 1
    firSequence &+= 1
    return .fullIntraRequest(
      FullIntraRequest(
        senderSSRC: configuration.localSSRC,
        entries: [.init(ssrc: stream.ssrc, sequenceNumber: firSequence)]))
  }

  private var canRequestKeyframe: Bool {
    configuration.canSendPictureLoss || configuration.canSendFullIntraRequest
  }

  package var statistics: VideoReceiverStatistics {
    var result = counters
    guard let stream else { return result }
    result.ssrc = stream.ssrc
    result.packetsReceived &+= stream.statistics.packetsReceived
    result.bytesReceived &+= stream.statistics.payloadBytesReceived
    result.packetsLost &+= stream.statistics.cumulativeLost
    result.jitter = stream.statistics.jitterInterval
    result.framesDropped &+= stream.framesDropped
    return result
  }

  /// What the next receiver report says of the stream; each call ends an interval. nil before media came.
  package func takeReportBlock(at now: Instant) -> ReportBlock? {
    guard let ssrc = stream?.ssrc, stream?.statistics.highestSequence != nil,
      let numbers = stream?.statistics.takeReport(), let jitter = stream?.statistics.jitter
    else { return nil }
    return reports.reportBlock(ssrc: ssrc, numbers: numbers, jitter: jitter, at: now)
  }

  /// The sender's wall clock at which a frame with this timestamp was captured; nil before a sender report.
  package func captureTime(rtpTimestamp: UInt32) -> NTPTime? { reports.ntpTime(rtpTimestamp: rtpTimestamp) }

  // MARK: - Packets

  private func receiveOriginal(
    _ packet: PacketBuffer, _ header: RTPHeader, _ format: VideoPayloadFormat,
    _ colourSpace: VideoColourSpace?, _ now: Instant
  ) throws(RTPError) {
    guard let stream = stream(for: header.ssrc, now) else {
      counters.packetsLate += 1
      pool.give(packet)
      return
    }
    lastMediaArrival = now
    let (sequence, arrival) = stream.statistics.receive(
      header, payloadBytes: header.payloadRange.count, at: now,
      countsForJitter: !header.payloadRange.isEmpty)
    if arrival == .stray {
      counters.packetsMalformed += 1
      pool.give(packet)
      return
    }
    if arrival == .restarted {
      stream.reset()
      if isEnabled { keyframes.need(at: now) }
    }
    try store(
      packet, header, format, colourSpace, sequence: sequence, isRetransmission: false, in: stream, now)
  }

  private func receiveRetransmission(
    _ packet: PacketBuffer, _ header: RTPHeader, associated: UInt8, _ colourSpace: VideoColourSpace?,
    _ now: Instant
  ) throws(RTPError) {
    guard isEnabled, let stream, let format = formats[Int(associated & 0x7F)],
      let original = try RTX.unwrap(packet, header: header, payloadType: associated, ssrc: stream.ssrc)
    else {
      // Padding, or a repair of a stream that is not known yet.
      pool.give(packet)
      return
    }
    guard let sequence = stream.sequence(of: original.sequenceNumber) else {
      counters.packetsLate += 1
      pool.give(packet)
      return
    }
    try store(
      packet, original, format, colourSpace, sequence: sequence, isRetransmission: true, in: stream, now)
  }

  private func store(
    _ packet: PacketBuffer, _ header: RTPHeader, _ format: VideoPayloadFormat,
    _ colourSpace: VideoColourSpace?, sequence: Int64, isRetransmission: Bool, in stream: VideoReceiveStream,
    _ now: Instant
  ) throws(RTPError) {
    guard isEnabled else {
      pool.give(packet)
      return
    }
    stream.nacks.receive(sequence, at: now, isRetransmission: isRetransmission)
    var header = header
    var format = format
    if case .redundant = format, !header.payloadRange.isEmpty {
      if let primary = try RedundantPayload.unwrap(packet, header: header) {
        header = primary
        format = formats[Int(primary.payloadType & 0x7F)] ?? .redundant
      } else {
        format = .redundant
      }
    }
    let insertion: FrameAssembler.Insertion
    if case .media(let codec) = format, !header.payloadRange.isEmpty {
      insertion = try stream.insert(
        packet, header, codec: codec, colourSpace: colourSpace, sequence: sequence, at: now)
    } else {
      // Padding, and forward error correction inside RED: nothing to decode, but no hole either.
      insertion = stream.insertPadding(sequence, at: now)
      pool.give(packet)
      settle(insertion, isRetransmission: isRetransmission, sequence: sequence, now)
      return
    }
    if insertion != .stored { pool.give(packet) }
    settle(insertion, isRetransmission: isRetransmission, sequence: sequence, now)
  }

  private func settle(
    _ insertion: FrameAssembler.Insertion, isRetransmission: Bool, sequence: Int64, _ now: Instant
  ) {
    switch insertion {
    case .stored:
      if isRetransmission { counters.packetsRepaired += 1 }
      if stream?.takeKeyframeBeginning() == true { keyframes.keyframeBegins(at: now) }
      // A track that starts, or starts anew, in mid-stream has nothing to show until a keyframe comes. If
      // one is just arriving, the wait for it ends the need before a request is due.
      if let stream, !stream.isDecodable, !stream.isKeyframeArriving {
        keyframes.need(at: now, patience: VideoReceiver.reorderPatience)
      }
    case .duplicate: counters.packetsDuplicated += 1
    case .late: counters.packetsLate += 1
    case .empty: counters.packetsMalformed += 1
    case .overflow:
      stream?.reset(from: sequence &+ 1)
      keyframes.need(at: now)
    case .truncatedFrame: requestKeyframe(at: now)
    }
    checkStall(now)
  }

  private func checkStall(_ now: Instant) {
    guard isEnabled, let stream else { return }
    if stream.takeStall(at: now, canRequest: configuration.canRequestRetransmission) {
      keyframes.need(at: now)
    }
  }

  // MARK: - Streams

  private func stream(for ssrc: UInt32, _ now: Instant) -> VideoReceiveStream? {
    if let stream, stream.ssrc == ssrc { return stream }
    if stream != nil {
      let silence = lastMediaArrival.map { now - $0 } ?? .zero
      if retiredSSRCs.contains(ssrc), silence < VideoReceiver.silenceBeforeReturn { return nil }
      retire()
    }
    retiredSSRCs.removeAll { $0 == ssrc }
    let fresh = VideoReceiveStream(ssrc: ssrc, configuration: configuration, pool: pool)
    fresh.nacks.roundTripTime = roundTripTime
    stream = fresh
    reports = SenderReportClock(clockRate: 90_000)
    return fresh
  }

  private func retire() {
    guard let stream else { return }
    counters.packetsReceived &+= stream.statistics.packetsReceived
    counters.bytesReceived &+= stream.statistics.payloadBytesReceived
    counters.packetsLost &+= stream.statistics.cumulativeLost
    counters.framesDropped &+= stream.framesDropped
    stream.reset()
    if retiredSSRCs.count >= VideoReceiver.maximumRetired { retiredSSRCs.removeFirst() }
    retiredSSRCs.append(stream.ssrc)
    keyframes.keyframeArrived()
    self.stream = nil
  }
}
