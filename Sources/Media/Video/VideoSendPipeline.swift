import Codecs
import RTP
import WireFormat

/// One sending video track: pictures in on the caller's thread, bitstream out on the track's encoder thread.
///
/// Between them lies a mailbox of one slot. A frame that comes before the encoder took the last one replaces
/// it: overload costs frames, never delay. Nothing is allocated a frame, provided that the receiver of
/// encoded frames gives their arrays back (`recycle`).
package final class VideoSendPipeline: Sendable {
  private struct State: Sendable {
    var mailbox: PushedVideoFrame?
    var isClosed = false
    var isKeyframeRequested = false
    var bitrateBPS: Int
    var frameRateHint: Double?
    var arrays: [[UInt8]] = []
    var statistics = VideoSendStatistics()
    var meter = FrameRateMeter()
  }

  private struct Work {
    var frame: PushedVideoFrame
    var isKeyframe: Bool
    var bitrateBPS: Int
    var frameRateHint: Double?
    var storage: [UInt8]
  }

  /// Arrays kept for bitstreams; further ones given back are freed.
  private static let arrayLimit = 8

  private let monitor: Monitor<State>
  private let pool = PicturePool<I420Buffer>()
  private let thread: WorkerThread

  /// - Parameter onFrame: called on the encoder thread with each encoded frame. Must not block.
  package init(
    codec: VideoCodec, configuration: VideoSendConfiguration,
    onFrame: @escaping @Sendable (EncodedVideoFrame) -> Void
  ) {
    var state = State(bitrateBPS: configuration.bitrateBPS)
    state.arrays.reserveCapacity(Self.arrayLimit)
    let monitor = Monitor(state)
    self.monitor = monitor
    thread = WorkerThread(name: "encode \(codec.rawValue)") { [pool] in
      Self.run(codec, configuration, monitor, pool, onFrame)
    }
  }

  deinit {
    close()
  }

  /// Takes a picture: checks it, converts it once, and leaves it for the encoder thread. Never waits.
  ///
  /// - Parameters:
  ///   - pixels: BGRA, exactly `width × height × 4` bytes.
  ///   - userData: travels in the frame's trailer.
  ///   - captureTimeUs: microseconds of the monotonic clock, carried in the trailer as they are; nil: now,
  ///     and no trailer unless there is `userData`.
  package func push(
    bgra pixels: UnsafeRawBufferPointer, width: Int, height: Int, userData: [UInt8]? = nil,
    captureTimeUs: Int64? = nil
  ) throws(MediaError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .unsupported("a picture of \(width)x\(height)")
    }
    guard pixels.count == width * height * 4 else {
      throw .wrongLength(expected: width * height * 4, actual: pixels.count)
    }
    guard !monitor.withLock({ $0.isClosed }) else { throw .closed }
    let picture: I420Buffer
    do {
      picture = try pool.take(width: width, height: height)
      try PixelConverter.convert(bgra: pixels, stride: width * 4, into: picture)
    } catch {
      throw .codec(error)
    }
    let time = captureTimeUs ?? MonotonicClock.now().microseconds
    var metadata: FrameMetadata?
    if captureTimeUs != nil || userData != nil {
      metadata = FrameMetadata(captureTimeUs: UInt64(max(0, time)), userData: userData)
    }
    let frame = PushedVideoFrame(picture: picture, captureTimeUs: time, metadata: metadata)
    let replaced = monitor.withLock { state -> PushedVideoFrame? in
      guard !state.isClosed else { return frame }
      state.statistics.framesPushed += 1
      let replaced = state.mailbox
      if replaced != nil { state.statistics.framesReplaced += 1 }
      state.mailbox = frame
      return replaced
    }
    monitor.notifyOne()
    if let replaced { pool.give(replaced.picture) }
  }

  /// Bits a second of bitstream, from the next frame on.
  package func setTargetBitrate(_ bitsPerSecond: Int) {
    monitor.withLock { $0.bitrateBPS = bitsPerSecond }
  }

  /// A guess of the frame rate to come; what is pushed corrects it.
  package func setFrameRateHint(_ framesPerSecond: Double) {
    monitor.withLock { $0.frameRateHint = framesPerSecond }
  }

  /// Makes the next frame a keyframe. Requests before it are one request.
  package func requestKeyframe() {
    monitor.withLock { $0.isKeyframeRequested = true }
  }

  /// Takes the array of an encoded frame back for reuse. It may still be referenced elsewhere.
  package func recycle(_ data: consuming [UInt8]) {
    var array: [UInt8]? = data
    monitor.withLock { state in
      guard state.arrays.count < Self.arrayLimit, let used = array.take() else { return }
      state.arrays.append(used)
    }
  }

  package var statistics: VideoSendStatistics {
    let now = MonotonicClock.now().microseconds
    return monitor.withLock { state in
      var statistics = state.statistics
      statistics.targetBitrateBPS = state.bitrateBPS
      statistics.framesPerSecond = state.meter.framesPerSecond(atUs: now)
      return statistics
    }
  }

  /// How many pictures had to be allocated so far, for benchmarks and tests.
  package var pictureAllocations: Int { pool.allocations }

  /// Ends the track: a frame in the mailbox is not encoded any more. Waits for the encoder thread, except
  /// on it. Any thread; repeatable.
  package func close() {
    monitor.withLock { state in
      state.isClosed = true
      state.mailbox = nil
    }
    monitor.notifyAll()
    thread.join()
  }

  private static func run(
    _ codec: VideoCodec, _ configuration: VideoSendConfiguration, _ monitor: Monitor<State>,
    _ pool: PicturePool<I420Buffer>, _ onFrame: @Sendable (EncodedVideoFrame) -> Void
  ) {
    let stage = VideoEncodingStage(codec: codec, configuration: configuration)
    while var work = monitor.wait({ nextWork(&$0) }) {
      // Not when it came back: then the call that handed it out may not have returned yet, and emptying what two
      // hold makes a new one.
      work.storage.removeAll(keepingCapacity: true)
      if let hint = work.frameRateHint { stage.setFrameRate(hint) }
      let start = MonotonicClock.now()
      let result: Result<EncodedVideoFrame?, CodecError>
      do throws(CodecError) {
        result = .success(
          try stage.encode(
            work.frame, keyframe: work.isKeyframe, bitrateBPS: work.bitrateBPS, storage: &work.storage))
      } catch {
        result = .failure(error)
      }
      let end = MonotonicClock.now()
      pool.give(work.frame.picture)
      monitor.withLock { note(result, end - start, end, unused: &work.storage, &$0) }
      if case .success(let frame?) = result { onFrame(frame) }
    }
  }

  private static func nextWork(_ state: inout State) -> Monitor<State>.Outcome<Work?> {
    if state.isClosed { return .done(nil) }
    guard let frame = state.mailbox else { return .sleep(until: .distantFuture) }
    let work = Work(
      frame: frame, isKeyframe: state.isKeyframeRequested, bitrateBPS: state.bitrateBPS,
      frameRateHint: state.frameRateHint, storage: state.arrays.popLast() ?? [])
    state.mailbox = nil
    state.isKeyframeRequested = false
    state.frameRateHint = nil
    return .done(work)
  }

  private static func note(
    _ result: Result<EncodedVideoFrame?, CodecError>, _ time: Interval, _ now: Instant,
    unused storage: inout [UInt8], _ state: inout State
  ) {
    state.statistics.encodeTime += time
    if storage.capacity > 0, state.arrays.count < arrayLimit {
      state.arrays.append(storage)
      storage = []
    }
    switch result {
    case .success(let frame?):
      state.statistics.framesEncoded += 1
      state.statistics.bytesEncoded += frame.data.count
      if frame.isKeyframe { state.statistics.keyframesEncoded += 1 }
      state.statistics.width = frame.width
      state.statistics.height = frame.height
      state.meter.note(atUs: now.microseconds)
    case .success(nil):
      state.statistics.framesDroppedByEncoder += 1
    case .failure(let error):
      state.statistics.encodeErrors += 1
      state.statistics.lastError = error.description
    }
  }
}
