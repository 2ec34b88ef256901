import WireFormat

/// Evens out the arrival of one track's Opus packets for an output that takes 10 ms at a time.
///
/// Belongs to the audio thread. It holds packets, not sound: the owner keeps a queue of decoded samples and,
/// each 10 ms, fills it like this:
///
///     while queue.count < 480 {
///       switch buffer.next(at: now, queuedSamples: queue.count) {
///       case .decode(let packet, let adjustment): queue += stretch(decode(packet), adjustment)
///       case .recover(let next, let samples): queue += decodeFEC(next, samples)
///       case .conceal(let samples): queue += conceal(samples)
///       case .silence(let samples, let hasNoise): queue += hasNoise ? conceal(samples) : zeros(samples)
///       case .resetDecoder: decoder.reset()
///       }
///     }
///
/// All counts are samples a channel at 48 kHz. Every operation but `resetDecoder` (at most one a new stream)
/// gives samples, so the loop ends; a packet that fails to decode is to be concealed by the owner (960).
///
/// Delay follows the network: the target is what 97 % of the packets need. More than that is shortened away
/// a pitch period at a time, or a packet at a time in silence; less is lengthened.
package struct AudioJitterBuffer: Sendable {
  package struct Limits: Sendable {
    package var minimumDelay = Interval.milliseconds(20)
    package var maximumDelay = Interval.milliseconds(500)
    /// Packets held; when full, the oldest goes.
    package var maximumPackets = 100

    package init() {}
  }

  private struct Entry {
    let sequence: Int64
    let packet: ReceivedAudioPacket
    let opus: OpusPacket
  }

  private enum State {
    /// Nothing played yet, or a gap so long that the delay is built up anew.
    case buffering
    case playing
  }

  package let limits: Limits
  package private(set) var statistics = AudioPlayoutStatistics()
  private var state = State.buffering
  private var ssrc: UInt32?
  private var needsReset = false
  private var entries: [Entry] = []
  private var unwrapper = SequenceUnwrapper16()
  private var estimator = ArrivalDelayEstimator()
  private var newest: (sequence: Int64, timestamp: UInt32, duration: Int)?
  /// What is to be played next.
  private var nextSequence: Int64?
  private var nextTimestamp: UInt32 = 0
  private var lastDuration = 960
  /// Whether silence, not loss, is the likelier reason when nothing is there.
  private var isSilent = false
  private var sawSilence = false
  private var concealedInRow = 0
  /// How long packets are held, in milliseconds, beyond what the fastest need; nil after a pause.
  private var smoothedHold: Double?
  private var packetsUntilAdjustment = 0

  private static let outputSamples = 480
  /// Concealment is inaudible at best for this long; after it silence is better, and the delay is rebuilt.
  private static let longestConcealment = 4800
  /// How much longer than needed packets may be held before sound is shortened, in milliseconds.
  private static let tolerance = 20.0
  /// Packets between adjustments: one every 100 ms changes the tempo by a few percent.
  private static let adjustmentSpacing = 5

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// How much is held for: the jitter's 97th percentile and one packet.
  package var targetDelay: Interval {
    let packet = Interval.nanoseconds(Int64(lastDuration) &* 62_500 / 3)
    return min(limits.maximumDelay, max(limits.minimumDelay, estimator.delay + packet))
  }

  /// Samples in undecoded packets, gaps between them included.
  package var bufferedSamples: Int {
    guard let first = entries.first, let last = entries.last else { return 0 }
    let start = nextSequence == nil || state == .buffering ? first.packet.timestamp : nextTimestamp
    let span = last.packet.timestamp.distance(from: start)
    let sum = entries.reduce(0) { $0 + $1.opus.sampleCount }
    // Silence between packets is not buffered sound.
    return max(0, min(span + last.opus.sampleCount, sum + missingPackets * lastDuration))
  }

  /// Takes a packet, in whatever order they come.
  package mutating func insert(_ packet: ReceivedAudioPacket) {
    guard let opus = try? OpusPacket(parsing: packet.payload.rawSpan) else {
      statistics.packetsDiscarded += 1
      return
    }
    if ssrc != packet.ssrc { begin(packet.ssrc) }
    let sequence = unwrapper.unwrap(packet.sequenceNumber)
    if let nextSequence, sequence < nextSequence {
      guard nextSequence - sequence < 1000 else { return restart(with: packet, opus) }
      statistics.packetsLate += 1
      observe(packet, opus, sequence)
      return
    }
    if let newest, sequence - newest.sequence > 1000 { return restart(with: packet, opus) }
    let place = entries.lastIndex { $0.sequence <= sequence }
    if let place, entries[place].sequence == sequence { return }
    observe(packet, opus, sequence)
    entries.insert(Entry(sequence: sequence, packet: packet, opus: opus), at: place.map { $0 + 1 } ?? 0)
    if entries.count > limits.maximumPackets {
      let dropped = entries.removeFirst()
      statistics.packetsDiscarded += 1
      skip(to: dropped.sequence + 1)
    }
  }

  /// What to do for more samples.
  ///
  /// - Parameter queuedSamples: decoded and not yet played.
  package mutating func next(at now: Instant, queuedSamples: Int) -> AudioPlayoutOperation {
    if needsReset {
      needsReset = false
      return .resetDecoder
    }
    guard let first = entries.first else { return underrun() }
    if state == .buffering {
      guard isReady(first, now, queuedSamples) else { return silence(AudioJitterBuffer.outputSamples) }
      startPlaying(first)
    }
    let expected = nextSequence ?? first.sequence
    if first.sequence > expected { return lost(upTo: first, expected) }
    if let pause = pause(before: first, now, queuedSamples) { return pause }
    return play(first, now, queuedSamples)
  }

  // MARK: - Playing

  private func isReady(_ first: Entry, _ now: Instant, _ queuedSamples: Int) -> Bool {
    let wanted = targetDelay
    return samples(wanted) <= Double(bufferedSamples + queuedSamples)
      || now - first.packet.arrival >= wanted
  }

  private mutating func startPlaying(_ first: Entry) {
    state = .playing
    // Across a long gap what is missing is not worth concealing.
    nextSequence = first.sequence
    if !isSilent { nextTimestamp = first.packet.timestamp }
    concealedInRow = 0
    smoothedHold = nil
  }

  private mutating func play(_ first: Entry, _ now: Instant, _ queuedSamples: Int) -> AudioPlayoutOperation {
    let target = samples(targetDelay)
    measureHold(first, now, queuedSamples)
    let isTooLong = (smoothedHold ?? 0) > needed + AudioJitterBuffer.tolerance
    var entry = first
    // Far too much, as after an outage: catch up at once. In silence a packet less is not heard.
    while entries.count > 1, entries[1].sequence == entry.sequence + 1 {
      let isFar = Double(bufferedSamples + queuedSamples) > target * 2 + 9600
      let isHidden =
        entry.opus.isDiscontinuous && isTooLong
      guard isFar || isHidden else { break }
      statistics.packetsDiscarded += 1
      smoothedHold = nil
      entries.removeFirst()
      entry = entries[0]
    }
    entries.removeFirst()
    nextSequence = entry.sequence + 1
    nextTimestamp = entry.packet.timestamp &+ UInt32(clamping: entry.opus.sampleCount)
    lastDuration = entry.opus.sampleCount
    isSilent = entry.opus.isDiscontinuous
    if isSilent { sawSilence = true }
    concealedInRow = 0
    statistics.packetsDecoded += 1
    return .decode(entry.packet, adjustment())
  }

  /// Milliseconds that packets are to be held.
  private var needed: Double {
    min(limits.maximumDelay, max(limits.minimumDelay * 0.5, estimator.delay)).inMilliseconds
  }

  private mutating func measureHold(_ entry: Entry, _ now: Instant, _ queuedSamples: Int) {
    let moment = now + .nanoseconds((Int64(queuedSamples) &* 62_500) / 3)
    guard let hold = estimator.holdTime(timestamp: entry.packet.timestamp, playedAt: moment) else { return }
    let milliseconds = hold.inMilliseconds
    smoothedHold = smoothedHold.map { $0 + (milliseconds - $0) * 0.1 } ?? milliseconds
  }

  private mutating func adjustment() -> PlayoutAdjustment {
    packetsUntilAdjustment -= 1
    guard packetsUntilAdjustment <= 0, let smoothedHold else { return .none }
    if smoothedHold > needed + AudioJitterBuffer.tolerance {
      packetsUntilAdjustment = AudioJitterBuffer.adjustmentSpacing
      statistics.shortenings += 1
      return .shorten
    }
    if smoothedHold < needed * 0.75 {
      packetsUntilAdjustment = AudioJitterBuffer.adjustmentSpacing
      statistics.lengthenings += 1
      return .lengthen
    }
    return .none
  }

  /// The number follows on and the timestamp does not: the sender was silent in between. Its length is kept
  /// as far as the packet's own delay allows.
  private mutating func pause(
    before first: Entry, _ now: Instant, _ queuedSamples: Int
  ) -> AudioPlayoutOperation? {
    let gap = first.packet.timestamp.distance(from: nextTimestamp)
    // A few samples off is a sloppy clock, not a pause.
    guard gap >= AudioJitterBuffer.outputSamples / 2 else { return nil }
    sawSilence = true
    guard now - first.packet.arrival < targetDelay - .nanoseconds(Int64(queuedSamples) &* 62_500 / 3),
      samples(targetDelay) > Double(bufferedSamples + queuedSamples)
    else { return nil }
    let count = min(gap, AudioJitterBuffer.outputSamples)
    nextTimestamp = nextTimestamp &+ UInt32(clamping: count)
    return silence(count)
  }

  // MARK: - Holes

  private mutating func lost(upTo first: Entry, _ expected: Int64) -> AudioPlayoutOperation {
    let missing = first.sequence - expected
    let gap = first.packet.timestamp.distance(from: nextTimestamp)
    // A gap in numbers that is longer in time than so many packets held silence too.
    let duration = gap > 0 && Int64(gap) <= missing * 5760 ? min(5760, max(120, gap / Int(missing))) : 0
    let length = duration > 0 && duration % 120 == 0 && sawSilence == false ? duration : lastDuration
    guard concealedInRow < AudioJitterBuffer.longestConcealment else {
      skip(to: first.sequence)
      nextTimestamp = first.packet.timestamp
      statistics.packetsLost += UInt64(missing)
      return silence(AudioJitterBuffer.outputSamples)
    }
    nextSequence = expected + 1
    nextTimestamp = nextTimestamp &+ UInt32(clamping: length)
    statistics.packetsLost += 1
    if missing == 1 {
      nextTimestamp = first.packet.timestamp
      if first.opus.hasForwardErrorCorrection {
        statistics.packetsRecovered += 1
        concealedInRow = 0
        return .recover(from: first.packet, samples: length)
      }
    }
    return conceal(length)
  }

  private mutating func underrun() -> AudioPlayoutOperation {
    guard state == .playing, !isSilent, concealedInRow < AudioJitterBuffer.longestConcealment,
      // Once a sender is known to fall silent, a short bridge is enough: what follows is likelier a pause.
      !(sawSilence && concealedInRow >= 960)
    else {
      if state == .playing, !isSilent, !sawSilence { statistics.interruptions += 1 }
      state = .buffering
      return silence(AudioJitterBuffer.outputSamples)
    }
    return conceal(AudioJitterBuffer.outputSamples)
  }

  private mutating func conceal(_ count: Int) -> AudioPlayoutOperation {
    concealedInRow += count
    statistics.samplesConcealed += UInt64(count)
    return .conceal(samples: count)
  }

  private mutating func silence(_ count: Int) -> AudioPlayoutOperation {
    statistics.samplesSilent += UInt64(count)
    return .silence(samples: count, hasNoise: isSilent)
  }

  // MARK: - Bookkeeping

  private var missingPackets: Int {
    guard let first = entries.first, let last = entries.last else { return 0 }
    let start = state == .playing ? nextSequence ?? first.sequence : first.sequence
    return max(0, Int(clamping: last.sequence &- start) &+ 1 &- entries.count)
  }

  private mutating func observe(_ packet: ReceivedAudioPacket, _ opus: OpusPacket, _ sequence: Int64) {
    // A copy's arrival is that of the packet that carried it.
    guard !packet.isRedundant else { return }
    defer {
      if newest.map({ sequence > $0.sequence }) ?? true {
        newest = (sequence, packet.timestamp, opus.sampleCount)
      }
    }
    if let newest {
      let packets = sequence - newest.sequence
      let step = Int64(packet.timestamp.distance(from: newest.timestamp))
      let isPause = packets > 0 && step != packets &* Int64(newest.duration) && packets == 1
      if packet.marker || isPause {
        estimator.restart()
        smoothedHold = nil
        if isPause, step > Int64(newest.duration) { sawSilence = true }
        return
      }
    }
    estimator.add(timestamp: packet.timestamp, arrival: packet.arrival)
  }

  private mutating func skip(to sequence: Int64) {
    guard let nextSequence, nextSequence < sequence else { return }
    self.nextSequence = sequence
  }

  private mutating func restart(with packet: ReceivedAudioPacket, _ opus: OpusPacket) {
    begin(packet.ssrc)
    let sequence = unwrapper.unwrap(packet.sequenceNumber)
    observe(packet, opus, sequence)
    entries.append(Entry(sequence: sequence, packet: packet, opus: opus))
  }

  private mutating func begin(_ ssrc: UInt32) {
    needsReset = self.ssrc != nil
    self.ssrc = ssrc
    state = .buffering
    statistics.packetsDiscarded += UInt64(entries.count)
    entries.removeAll(keepingCapacity: true)
    unwrapper.reset()
    estimator = ArrivalDelayEstimator()
    newest = nil
    nextSequence = nil
    isSilent = false
    sawSilence = false
    concealedInRow = 0
    packetsUntilAdjustment = 0
    smoothedHold = nil
  }

  private func samples(_ interval: Interval) -> Double { interval.inSeconds * 48_000 }
}
