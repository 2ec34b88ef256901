import WireFormat

/// One SSRC's share of a ``VideoReceiver``: its numbers, its missing packets, its frames.
final class VideoReceiveStream {
  let ssrc: UInt32
  var statistics = ReceiveStatistics(clockRate: 90_000)
  var nacks: NACKGenerator
  /// Whole frames that were skipped.
  private(set) var framesDropped: UInt64 = 0
  private var assembler: FrameAssembler
  private var references = ReferenceTracker()
  private var colourSpace: VideoColourSpace?
  private var schedule: PlayoutSchedule
  private let playoutDelay: Interval
  /// The frame chosen next, held back until it is due.
  private var chosen: (frame: AssembledFrame, due: Instant)?
  private var sawKeyframeBeginning = false
  private var keyframeBeginning: (timestamp: UInt32, at: Instant)?
  private var lastArrival = Instant.origin
  /// Since when packets wait without a frame coming out.
  private var waitingSince: Instant? {
    didSet { isStallReported = false }
  }
  private var isStallReported = false

  /// A picture that stands still this long while packets come needs a keyframe.
  private static let shortestStall = Interval.milliseconds(200)
  /// Without NACK a hole stays one; this much reordering is waited for.
  private static let reorderTolerance = Interval.milliseconds(30)
  /// A keyframe that began is given this long to become whole before another is asked for.
  private static let keyframePatience = Interval.milliseconds(500)

  init(ssrc: UInt32, configuration: VideoReceiverConfiguration, pool: PacketPool) {
    self.ssrc = ssrc
    nacks = NACKGenerator(limits: configuration.nackLimits)
    assembler = FrameAssembler(pool: pool, maximumCapacity: configuration.maximumPackets)
    playoutDelay = configuration.playoutDelay
    schedule = PlayoutSchedule(delay: configuration.playoutDelay)
  }

  /// Whether a keyframe began the chain of frames.
  var isDecodable: Bool { references.isStarted }

  /// Whether a keyframe's first packet came lately.
  var isKeyframeArriving: Bool {
    guard let keyframeBeginning else { return false }
    return lastArrival - keyframeBeginning.at < VideoReceiveStream.keyframePatience
  }

  /// The unwrapped number of a retransmitted packet; nil without media to compare it with.
  func sequence(of number: UInt16) -> Int64? {
    guard let highest = statistics.highestSequence else { return nil }
    let distance = Int64(number.distance(from: UInt16(truncatingIfNeeded: highest)))
    return abs(distance) > ReceiveStatistics.longestJump ? nil : highest &+ distance
  }

  func insert(
    _ packet: PacketBuffer, _ header: RTPHeader, codec: VideoCodec, colourSpace: VideoColourSpace?,
    sequence: Int64, at now: Instant
  ) throws(RTPError) -> FrameAssembler.Insertion {
    lastArrival = now
    let payload: VideoPayload
    do throws(RTPError) {
      payload = try VideoPayload(parsing: packet.bytes.clamped(header.payloadRange), codec: codec)
    } catch .emptyPayload {
      // A descriptor and nothing behind it: nothing is lost with it.
      let insertion = assembler.insertPadding(sequence, at: now)
      return insertion == .stored ? .empty : insertion
    }
    let insertion = assembler.insert(
      sequence, packet: packet, header: header, codec: codec, payload: payload, colourSpace: colourSpace,
      at: now)
    if case .stored = insertion {
      if payload.beginsFrame, payload.isKeyframe { noteKeyframe(header.timestamp, now) }
      noteWaiting(now)
    }
    return insertion
  }

  func insertPadding(_ sequence: Int64, at now: Instant) -> FrameAssembler.Insertion {
    lastArrival = now
    return assembler.insertPadding(sequence, at: now)
  }

  /// Whether a keyframe began since the last call.
  func takeKeyframeBeginning() -> Bool {
    defer { sawKeyframeBeginning = false }
    return sawKeyframeBeginning
  }

  func nextFrame(at now: Instant) -> EncodedVideoFrame? {
    guard let (frame, due) = chosen ?? choose(), due <= now else { return nil }
    chosen = nil
    let follows = assembler.follows(frame)
    framesDropped += UInt64(assembler.frames.count { $0.firstSequence < frame.firstSequence })
    references.deliver(frame, follows: follows)
    let data = assembler.take(frame)
    nacks.forget(before: frame.lastSequence &+ 1)
    if frame.isKeyframe { keyframeBeginning = nil }
    waitingSince = assembler.isWaiting ? now : nil
    // It is told with keyframes and where it changes; a keyframe without it takes it back.
    if frame.isKeyframe || frame.colourSpace != nil { colourSpace = frame.colourSpace }
    var result = EncodedVideoFrame(
      codec: frame.codec, data: data, isKeyframe: frame.isKeyframe, rtpTimestamp: frame.timestamp,
      width: frame.width, height: frame.height)
    result.colourSpace = colourSpace
    return result
  }

  /// - Parameter canRequest: whether missing packets are asked for.
  func nextTimeout(canRequest: Bool) -> Instant? {
    let repair =
      canRequest
      ? nacks.nextTimeout : nacks.oldestMissing.map { $0 + VideoReceiveStream.reorderTolerance }
    let stall = isStallReported || !isObstructed ? nil : waitingSince.map { $0 + stallPatience }
    return .earliest(chosen?.due, .earliest(repair, stall))
  }

  /// Whether something is missing, so that waiting may be in vain: a slow frame alone is none.
  private var isObstructed: Bool { nacks.missingCount > 0 || !assembler.frames.isEmpty }

  private var stallPatience: Interval {
    max(VideoReceiveStream.shortestStall, nacks.roundTripTime * 2.5)
  }

  /// Delivers nothing before the next keyframe.
  func awaitKeyframe() {
    references.reset()
    chosen = nil
  }

  func reset(from floor: Int64? = nil) {
    framesDropped &+= UInt64(assembler.frames.count)
    assembler.reset(floor: floor)
    references.reset()
    nacks.reset()
    schedule = PlayoutSchedule(delay: playoutDelay)
    chosen = nil
    keyframeBeginning = nil
    waitingSince = nil
  }

  /// Whether packets have waited so long for what is missing that only a keyframe helps.
  /// True once a standstill.
  func takeStall(at now: Instant, canRequest: Bool) -> Bool {
    if !canRequest { nacks.giveUp(olderThan: VideoReceiveStream.reorderTolerance, at: now) }
    if nacks.takeGivenUp() { return true }
    guard let waitingSince, chosen == nil, !isStallReported, isObstructed,
      now - waitingSince >= stallPatience
    else { return false }
    isStallReported = true
    return true
  }

  private func choose() -> (frame: AssembledFrame, due: Instant)? {
    guard
      let frame = assembler.frames.first(where: {
        references.canDecode($0, follows: assembler.follows($0))
      })
    else { return nil }
    let due = schedule.due(timestamp: frame.timestamp, completed: frame.completed)
    chosen = (frame, due)
    return chosen
  }

  private func noteKeyframe(_ timestamp: UInt32, _ now: Instant) {
    guard keyframeBeginning?.timestamp != timestamp else { return }
    keyframeBeginning = (timestamp, now)
    sawKeyframeBeginning = true
  }

  private func noteWaiting(_ now: Instant) {
    if waitingSince == nil { waitingSince = now }
  }
}
