import Codecs
import RTP
import WireFormat

/// One receiving video track: assembled frames in on the network thread, decoded on one of the client's frame
/// threads, and BGRA pictures out on the same or, while other handlers run, another one.
///
/// While nobody listens, frames are counted and let go: neither decoded nor kept. The price is a keyframe
/// (asked for at once) when somebody begins to listen; decoding on, to be ready for that moment, would cost
/// a twentieth of a core a track for as long as nobody watches.
package final class VideoReceivePipeline: Sendable {
  package typealias Handler = @Sendable (borrowing ReceivedVideoFrame) -> Void

  /// While a keyframe is awaited and delta frames come in, it is asked for again this often.
  package static let keyframeInterval = Interval.milliseconds(300 as Int64)

  private struct State: Sendable {
    var queue = EncodedFrameQueue()
    var isClosed = false
    var isWatched = false
    /// Delta frames make no sense before the next keyframe.
    var awaitsKeyframe = true
    var lastRequest: Instant?
    var statistics = VideoReceiveStatistics()
    var meter = FrameRateMeter()

    /// Whether now is the time to ask for a keyframe.
    mutating func shouldRequest(at now: Instant, always: Bool = false) -> Bool {
      if !always, let lastRequest, now - lastRequest < VideoReceivePipeline.keyframeInterval {
        return false
      }
      lastRequest = now
      statistics.keyframeRequests += 1
      return true
    }
  }

  private let monitor: Monitor<State>
  private let slot: VideoFrameSlot
  private let onKeyframeNeeded: @Sendable () -> Void
  private let threads: FrameThreads
  private let decoding: FrameLane

  /// - Parameters:
  ///   - cores: processor cores that the decoder may count on.
  ///   - onKeyframeNeeded: asks the sender (PLI). Called on the thread of `submit`, of `setHandler`, or on a
  ///     frame thread, with no lock held. Must not block.
  package init(
    cores: Int = 2, threads: FrameThreads, onKeyframeNeeded: @escaping @Sendable () -> Void
  ) {
    let monitor = Monitor(State())
    let slot = VideoFrameSlot()
    self.monitor = monitor
    self.slot = slot
    self.onKeyframeNeeded = onKeyframeNeeded
    self.threads = threads
    let handler = threads.makeLane(.handler) {
      slot.deliver()
      return FrameLane.Outcome(hasMore: false)
    }
    let stage = VideoDecodingStage(cores: cores)
    decoding = threads.makeLane(.decoding) {
      Self.decodeNext(stage, monitor, slot, handler, onKeyframeNeeded)
    }
  }

  deinit {
    close()
  }

  /// Sets who gets the pictures; nil: nobody, and nothing is decoded. When this returns, the handler before
  /// is not called any more (a call that runs just now runs to its end). Any thread, also a handler's.
  package func setHandler(_ handler: Handler?) {
    slot.setHandler(handler)
    let now = MonotonicClock.now()
    let mustRequest = monitor.withLock { state -> Bool in
      let wasWatched = state.isWatched
      state.isWatched = handler != nil
      if !state.isWatched {
        state.statistics.framesUnwatched += state.queue.removeAll()
        state.awaitsKeyframe = true
        return false
      }
      // A stream that has not begun yet begins with a keyframe by itself.
      return !wasWatched && !state.isClosed && state.statistics.framesSubmitted > 0
        && state.shouldRequest(at: now, always: true)
    }
    if mustRequest { onKeyframeNeeded() }
  }

  /// Takes an assembled frame, in decoding order. Never waits. The network thread.
  package func submit(_ frame: EncodedVideoFrame) {
    let now = MonotonicClock.now()
    var mustDecode = false
    let mustRequest = monitor.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      state.statistics.framesSubmitted += 1
      guard state.isWatched else {
        state.statistics.framesUnwatched += 1
        state.awaitsKeyframe = true
        return false
      }
      if frame.isKeyframe {
        state.awaitsKeyframe = false
      } else if state.awaitsKeyframe {
        state.statistics.framesSkipped += 1
        return state.shouldRequest(at: now)
      }
      mustDecode = state.queue.append(frame)
      if mustDecode { return false }
      // Full: what waits is old. Start again at the next keyframe, which may be this frame.
      state.statistics.framesSkipped += state.queue.removeAll()
      if frame.isKeyframe, state.queue.append(frame) {
        mustDecode = true
        return false
      }
      state.statistics.framesSkipped += 1
      state.awaitsKeyframe = true
      return state.shouldRequest(at: now)
    }
    if mustDecode { threads.schedule(decoding) }
    if mustRequest { onKeyframeNeeded() }
  }

  package var statistics: VideoReceiveStatistics {
    let now = MonotonicClock.now().microseconds
    let counts = slot.counts
    return monitor.withLock { state in
      var statistics = state.statistics
      statistics.framesReplaced = counts.replaced
      statistics.framesDelivered = counts.delivered
      statistics.framesPerSecond = state.meter.framesPerSecond(atUs: now)
      return statistics
    }
  }

  /// How many pictures had to be allocated so far, for benchmarks and tests.
  package var pictureAllocations: Int { slot.pool.allocations }

  /// Ends the track: no handler call begins after this has returned. Waits for a frame that is
  /// being decoded, never for a handler. Any thread; repeatable.
  package func close() {
    slot.setHandler(nil)
    monitor.withLock { state in
      state.isClosed = true
      state.isWatched = false
      _ = state.queue.removeAll()
    }
    threads.finish(decoding)
  }

  private static func decodeNext(
    _ stage: VideoDecodingStage, _ monitor: Monitor<State>, _ slot: VideoFrameSlot, _ handler: FrameLane,
    _ onKeyframeNeeded: @Sendable () -> Void
  ) -> FrameLane.Outcome {
    guard let frame = monitor.withLock({ $0.queue.popFirst() }) else {
      return FrameLane.Outcome(hasMore: false)
    }
    let start = MonotonicClock.now()
    let result: Result<BGRABuffer?, CodecError>
    do throws(CodecError) {
      result = .success(try stage.decode(frame, into: slot.pool))
    } catch {
      result = .failure(error)
    }
    let end = MonotonicClock.now()
    var outcome = FrameLane.Outcome(hasMore: false)
    let mustRequest = monitor.withLock { state -> Bool in
      let mustRequest = note(result, frame, end - start, end, &state)
      outcome.hasMore = state.queue.count > 0
      return mustRequest
    }
    if case .success(let buffer?) = result {
      slot.put(
        VideoFrameSlot.Picture(buffer: buffer, rtpTimestamp: frame.rtpTimestamp, metadata: frame.metadata))
      outcome.next = handler
    }
    if mustRequest { onKeyframeNeeded() }
    return outcome
  }

  /// Counts a decoded frame. Returns whether a keyframe has to be asked for.
  private static func note(
    _ result: Result<BGRABuffer?, CodecError>, _ frame: EncodedVideoFrame, _ time: Interval,
    _ now: Instant, _ state: inout State
  ) -> Bool {
    state.statistics.decodeTime += time
    switch result {
    case .success(let buffer):
      state.statistics.framesDecoded += 1
      if let buffer {
        state.statistics.width = buffer.width
        state.statistics.height = buffer.height
        state.meter.note(atUs: now.microseconds)
      }
      return false
    case .failure(let error):
      state.statistics.decodeErrors += 1
      state.statistics.lastError = error.description
      state.statistics.framesSkipped += state.queue.dropToKeyframe()
      guard state.queue.count == 0 else { return false }
      state.awaitsKeyframe = true
      return state.isWatched && !state.isClosed && state.shouldRequest(at: now)
    }
  }
}
