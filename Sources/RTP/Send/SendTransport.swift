import WireFormat

/// Everything that one connection sends as RTP: its tracks, the pacer, the log of what is on its way, and the
/// bandwidth estimate that ties them together.
///
/// After each input (`send`, `handle`, `handleTimeout`, a setting) drain ``nextTransmit(at:)``,
/// ``nextEvent()`` and ``nextReports(at:)``, then re-arm ``nextTimeout()``. A packet from `nextTransmit` is
/// plain RTP, ready for SRTP in place, and goes back to the pool afterwards.
package final class SendTransport {
  package struct Settings {
    package var bounds = BitrateBounds()
    package var pacerLimits = PacerLimits()
    package var videoHistory = PacketHistory.Limits()
    package var audioHistory = PacketHistory.Limits(packets: 128, bytes: 128 << 10, time: .seconds(1))
    /// RTCP CNAME (RFC 7022).
    package var canonicalName = ""

    package init() {}
  }

  /// Tracks, removed ones included, a connection.
  package static let trackLimit = 256
  private static let eventLimit = 256
  /// Encoders are told of changes from this share on, and at once of lower targets.
  private static let announcedShare = 0.02

  private let settings: Settings
  private let pool: PacketPool
  private let estimator: any BandwidthEstimator
  private var clock: WallClock
  private var random: RandomSource
  private var pacer: Pacer
  private var log: SentPacketLog
  private var feedbackReader = TransportFeedbackReader()
  private var feedback: [PacketFeedback] = []
  private var tracks: [SendingTrack?] = []
  private var events = FIFO<SendEvent>()
  private var reports: SenderReportSchedule
  private var usesTransportSequence = false

  package init(
    settings: Settings, clock: WallClock, pool: PacketPool, random: RandomSource,
    estimator: (any BandwidthEstimator)? = nil
  ) {
    self.settings = settings
    self.clock = clock
    self.pool = pool
    self.random = random
    self.estimator = estimator ?? SendSideBandwidthEstimator(bounds: settings.bounds)
    pacer = Pacer(rate: self.estimator.pacingRate, limits: settings.pacerLimits)
    log = SentPacketLog(firstSequence: self.random.uint16() & 0x7FFF)
    reports = SenderReportSchedule(canonicalName: settings.canonicalName)
    feedback.reserveCapacity(512)
  }

  // MARK: Tracks

  /// Adds a track and returns its number; nil when there are ``trackLimit`` of them.
  package func addVideo(
    _ parameters: StreamParameters, codec: VideoCodec, limits: TrackBitrateLimits,
    appendsFrameMetadata: Bool, at now: Instant
  ) -> Int? {
    add(parameters, limits: limits, history: settings.videoHistory, at: now) { stream in
      .video(
        VideoSender(
          stream: stream, codec: codec, appendsFrameMetadata: appendsFrameMetadata, random: &random))
    }
  }

  package func addAudio(_ parameters: StreamParameters, limits: TrackBitrateLimits, at now: Instant) -> Int? {
    add(parameters, limits: limits, history: settings.audioHistory, at: now) { stream in
      .audio(AudioSender(stream: stream, random: &random))
    }
  }

  /// Removes a track and what it has queued; the next reports say goodbye for it.
  package func remove(track: Int, at now: Instant) {
    guard tracks.indices.contains(track), let removed = tracks[track] else { return }
    pacer.remove(track: track) { pool.give($0) }
    tracks[track] = nil
    let parameters = removed.stream.parameters
    reports.sayGoodbye(for: [parameters.ssrc] + (parameters.rtx.map { [$0.ssrc] } ?? []), at: now)
    allocate(at: now)
  }

  /// An inactive track (nobody pushes, or it is unpublished) takes no share of the bandwidth.
  package func setActive(_ isActive: Bool, track: Int, at now: Instant) {
    guard let present = self[track]?.isActive, present != isActive else { return }
    tracks[track]?.isActive = isActive
    allocate(at: now)
  }

  package func setLimits(_ limits: TrackBitrateLimits, track: Int, at now: Instant) {
    guard let present = self[track]?.limits, present != limits else { return }
    tracks[track]?.limits = limits
    allocate(at: now)
  }

  /// - Parameter restart: whether the estimate is set to the bounds' start.
  package func setBounds(_ bounds: BitrateBounds, restart: Bool, at now: Instant) {
    estimator.setBounds(bounds, restart: restart, at: now)
    applyEstimate(at: now)
  }

  /// The wall clock was set.
  package func setWallClock(_ clock: WallClock) { self.clock = clock }

  private func add(
    _ parameters: StreamParameters, limits: TrackBitrateLimits, history: PacketHistory.Limits,
    at now: Instant, _ make: (OutgoingStream) -> SendingTrack.Sender
  ) -> Int? {
    guard tracks.count < SendTransport.trackLimit else { return nil }
    let number = tracks.count
    let stream = OutgoingStream(
      track: number, parameters: parameters, historyLimits: history, pool: pool, random: &random)
    tracks.append(SendingTrack(sender: make(stream), limits: limits))
    if parameters.extensions.id(of: .transportSequenceNumber) != nil { usesTransportSequence = true }
    allocate(at: now)
    return number
  }

  // MARK: Media

  /// Queues a frame. `frame.rtpTimestamp` is before the random offset, which the sender adds.
  package func send(
    _ frame: consuming EncodedVideoFrame, track: Int, capturedAt: Instant? = nil, at now: Instant
  ) -> SendOutcome {
    guard let sender = self[track]?.video else { return .unknownTrack }
    let outcome = sender.send(frame, capturedAt: capturedAt, pacer: &pacer, at: now)
    if outcome == .queueFull || outcome == .awaitingKeyframe,
      sender.handleLocalLoss(bitrate: bitrate(of: track), at: now)
    {
      post(.keyframeRequested(track: track))
    }
    return outcome
  }

  /// Queues an Opus packet; see ``AudioSender``.
  package func send(
    audio payload: RawSpan, sampleCount: Int, level: AudioLevel?, track: Int, capturedAt: Instant,
    at now: Instant
  ) -> SendOutcome {
    guard let sender = self[track]?.audio else { return .unknownTrack }
    return sender.send(
      payload, sampleCount: sampleCount, level: level, capturedAt: capturedAt, pacer: &pacer, at: now)
  }

  /// How long what is queued needs to leave. An encoder should skip a frame while this is above a few frame
  /// intervals, which costs nothing but that frame.
  package var backlog: Interval { pacer.backlog }

  /// The next packet that may leave now; nil: none before ``nextTimeout()``.
  package func nextTransmit(at now: Instant) -> PacketBuffer? {
    while true {
      switch pacer.next(at: now) {
      case .wait: return nil
      case .send(let packet):
        guard let stream = self[packet.track]?.stream else {
          pool.give(packet.buffer)
          continue
        }
        return finish(packet, stream, at: now)
      case .pad(let bytes, let cluster):
        guard let (stream, made) = makePadding(bytes, at: now) else {
          pacer.abandonProbe()
          continue
        }
        var packet = made
        packet.probeCluster = cluster
        pacer.addPadding(bytes: packet.buffer.count, at: now)
        return finish(packet, stream, at: now)
      }
    }
  }

  private func finish(_ packet: OutgoingPacket, _ stream: OutgoingStream, at now: Instant) -> PacketBuffer {
    let buffer = packet.buffer
    if let offset = packet.absoluteSendTimeOffset {
      let time = SendTransport.absoluteSendTime(now)
      buffer.set(UInt8(truncatingIfNeeded: time &>> 16), at: offset)
      buffer.set(UInt16(truncatingIfNeeded: time), at: offset + 1)
    }
    if let offset = packet.transportSequenceOffset {
      let number = log.add(size: buffer.count, probeCluster: packet.probeCluster, at: now)
      buffer.set(number, at: offset)
    }
    if packet.transportSequenceOffset != nil || !usesTransportSequence {
      estimator.handle(sentBytes: buffer.count, at: now)
      takeProbes(at: now)
    }
    stream.handleSent(packet, at: now)
    reports.handleSent(at: now)
    if !pacer.canPad, stream.canPad { pacer.canPad = isAnyPaddable }
    return buffer
  }

  /// 24 bits, 6.18 fixed point seconds.
  private static func absoluteSendTime(_ now: Instant) -> UInt32 {
    let nanoseconds = UInt64(bitPattern: now.nanoseconds)
    let seconds = nanoseconds / 1_000_000_000
    let fraction = ((nanoseconds % 1_000_000_000) &<< 18) / 1_000_000_000
    return UInt32(truncatingIfNeeded: (seconds &<< 18 | fraction) & 0xFF_FFFF)
  }

  // MARK: Feedback

  /// Takes what concerns senders from a received RTCP datagram; the rest is passed over.
  package func handle(_ packet: RTCPPacket, at now: Instant) {
    switch packet {
    case .transportFeedback(let message): handle(message, at: now)
    case .receiverEstimatedMaximumBitrate(let message):
      estimator.handle(receiverEstimate: Int(clamping: message.bitrateBPS), at: now)
      applyEstimate(at: now)
    case .receiverReport(let report): handle(report.reports, at: now)
    case .senderReport(let report): handle(report.reports, at: now)
    case .nack(let nack): handle(nack, at: now)
    case .pictureLossIndication(let request):
      guard let track = track(ofSSRC: request.mediaSSRC), let sender = self[track]?.video else { return }
      if sender.handlePictureLossIndication(bitrate: bitrate(of: track), at: now) {
        post(.keyframeRequested(track: track))
      }
    case .fullIntraRequest(let request): handle(request, at: now)
    case .sourceDescription, .goodbye, .unknown: break
    }
  }

  private func handle(_ message: TransportFeedback, at now: Instant) {
    feedback.removeAll(keepingCapacity: true)
    feedbackReader.read(message, log: &log, into: &feedback)
    guard !feedback.isEmpty else { return }
    estimator.handle(feedback: feedback, at: now)
    applyEstimate(at: now)
  }

  private func handle(_ blocks: [ReportBlock], at now: Instant) {
    var expected = 0
    var lost = 0.0
    let time = clock.time(at: now)
    for block in blocks {
      guard let track = track(ofSSRC: block.ssrc), let stream = self[track]?.stream else { continue }
      let counts = stream.handle(block, now: time)
      expected += counts.expected
      lost += counts.lost
      if let measured = block.roundTripTime(at: time) {
        estimator.handle(roundTripTime: measured, at: now)
        for other in tracks { other?.stream.setRoundTripTime(measured) }
      }
    }
    guard expected > 0 else { return }
    estimator.handle(fractionLost: lost / Double(expected), at: now)
    applyEstimate(at: now)
  }

  private func handle(_ nack: GenericNACK, at now: Instant) {
    guard let track = track(ofSSRC: nack.mediaSSRC), let stream = self[track]?.stream,
      stream.parameters.answersNACK
    else { return }
    stream.statistics.nackCount += 1
    for sequence in nack.lost {
      stream.makeRetransmissions(sequence, at: now) { packet in
        if !pacer.enqueue(packet, at: now) { stream.discard(packet) }
      }
    }
  }

  private func handle(_ request: FullIntraRequest, at now: Instant) {
    for track in tracks.indices {
      guard let sender = self[track]?.video else { continue }
      if sender.handleFullIntraRequest(request, bitrate: bitrate(of: track), at: now) {
        post(.keyframeRequested(track: track))
      }
    }
  }

  // MARK: Reports and events

  /// Sender reports, a source description and goodbyes, when they are due; empty otherwise. To be sent as one
  /// compound datagram, with the receivers' report blocks added to the first report if there are any.
  package func nextReports(at now: Instant) -> [RTCPPacket] {
    // Asked after every input: nothing is gathered before it is needed.
    guard let due = reports.due, now >= due else { return [] }
    return reports.next(streams: tracks.compactMap { $0?.stream }, clock: clock, random: &random, at: now)
  }

  /// Events that nobody drains push out the oldest.
  private func post(_ event: SendEvent) {
    if events.count >= SendTransport.eventLimit { _ = events.popFirst() }
    events.append(event)
  }

  package func nextEvent() -> SendEvent? { events.popFirst() }

  package func nextTimeout() -> Instant? {
    var next = Instant?.earliest(pacer.nextSendTime(), .earliest(estimator.nextTimeout(), reports.due))
    for (track, entry) in tracks.enumerated() {
      guard let sender = entry?.video else { continue }
      next = .earliest(next, sender.nextTimeout(bitrate: bitrate(of: track)))
    }
    return next
  }

  package func handleTimeout(at now: Instant) {
    if let due = estimator.nextTimeout(), due <= now {
      estimator.handleTimeout(at: now)
      applyEstimate(at: now)
    }
    for track in tracks.indices {
      guard let sender = self[track]?.video else { continue }
      if sender.handleTimeout(bitrate: bitrate(of: track), at: now) {
        post(.keyframeRequested(track: track))
      }
    }
  }

  package func statistics(track: Int) -> SenderStatistics? { self[track]?.stream.statistics }

  /// The congestion controller's estimate, bits per second.
  package var targetBitrate: Int { estimator.targetBitrate }

  // MARK: Bandwidth

  private func applyEstimate(at now: Instant) {
    pacer.setRate(estimator.pacingRate, at: now)
    takeProbes(at: now)
    allocate(at: now)
  }

  private func takeProbes(at now: Instant) {
    while let probe = estimator.nextProbe() { pacer.add(probe, at: now) }
  }

  private func allocate(at now: Instant) {
    let active = tracks.indices.filter { tracks[$0]?.isActive == true }
    let demands = active.compactMap { index in
      tracks[index].map { BitrateAllocator.Demand(limits: $0.limits, isAudio: $0.isAudio) }
    }
    // Audio alone is not worth probing for.
    let videoDemand = demands.reduce(0) { $1.isAudio ? $0 : $0 + $1.limits.maximum }
    let demand = videoDemand == 0 ? 0 : demands.reduce(0) { $0 + $1.limits.maximum }
    estimator.setDemand(demand, at: now)
    pacer.canPad = isAnyPaddable
    let shares = BitrateAllocator.allocate(estimator.targetBitrate, over: demands)
    for (index, share) in zip(active, shares) { announce(share, track: index, at: now) }
  }

  private func announce(_ share: Int, track: Int, at now: Instant) {
    guard let announced = tracks[track]?.announced, share != announced else { return }
    let isSmall = Double(abs(share - announced)) < SendTransport.announcedShare * Double(announced)
    guard share < announced || !isSmall else { return }
    tracks[track]?.announced = share
    tracks[track]?.stream.setTargetBitrate(share, at: now)
    post(.targetBitrateChanged(track: track, bitsPerSecond: share))
  }

  private var isAnyPaddable: Bool {
    tracks.contains { track in
      guard let track, track.isActive, !track.isAudio else { return false }
      return track.stream.canPad
    }
  }

  private func makePadding(_ bytes: Int, at now: Instant) -> (OutgoingStream, OutgoingPacket)? {
    for track in tracks {
      guard let track, track.isActive, !track.isAudio else { continue }
      let stream = track.stream
      if let packet = stream.makePadding(bytes, at: now) { return (stream, packet) }
    }
    return nil
  }

  private func bitrate(of track: Int) -> Int {
    guard tracks.indices.contains(track), let announced = tracks[track]?.announced, announced > 0 else {
      return estimator.targetBitrate
    }
    return announced
  }

  private subscript(track: Int) -> SendingTrack? {
    tracks.indices.contains(track) ? tracks[track] : nil
  }

  private func track(ofSSRC ssrc: UInt32) -> Int? {
    tracks.firstIndex { $0?.stream.parameters.ssrc == ssrc }
  }
}
