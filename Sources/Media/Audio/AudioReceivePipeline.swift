import Codecs
import RTP
import WireFormat

/// One receiving audio track: Opus packets in on the network thread, frames of 10 ms at 48 kHz out on a
/// frame thread, at the pace of the clock.
///
/// The track's thread wakes each 10 ms while a stream plays and somebody listens. Otherwise it sleeps: without
/// a handler packets are counted and let go; and when nothing has come for a second of silence, no frames
/// are made up until the next packet.
package final class AudioReceivePipeline: Sendable {
  package typealias Handler = @Sendable (borrowing ReceivedAudioFrame) -> Void

  /// Packets that wait for the audio thread: 2 s. When full, the oldest goes.
  package static let inboxLimit = 100
  package static let frameInterval = Interval.milliseconds(10)
  /// A thread that was held up longer than this does not make up for it by a burst of frames.
  private static let longestCatchUp = Interval.milliseconds(100)

  private struct State: Sendable {
    var inbox: [ReceivedAudioPacket] = []
    var isWatched = false
    var isClosed = false
    /// The thread sleeps until a packet comes.
    var isIdle = true
    /// Bumped when somebody begins to listen: what the jitter buffer holds is old by then.
    var generation = 0
    var statistics = AudioReceiveStatistics()
  }

  private struct Work {
    var packets: [ReceivedAudioPacket]
    var generation: Int
  }

  private let monitor: Monitor<State>
  private let queue: AudioFrameQueue
  private let thread: WorkerThread

  package init(threads: FrameThreads) {
    let monitor = Monitor(State())
    let queue = AudioFrameQueue()
    self.monitor = monitor
    self.queue = queue
    let handler = threads.makeLane(.handler) { FrameLane.Outcome(hasMore: queue.deliver()) }
    thread = WorkerThread(name: "play audio") {
      Self.run(monitor, queue, handler, threads)
    }
  }

  deinit {
    close()
  }

  /// Sets who gets the frames; nil: nobody, and nothing is decoded or kept. When this returns, the handler
  /// before is not called any more (a call that runs just now runs to its end). Any thread, also a handler's.
  package func setHandler(_ handler: Handler?) {
    queue.setHandler(handler)
    monitor.withLock { state in
      let isWatched = handler != nil
      if isWatched, !state.isWatched { state.generation += 1 }
      state.isWatched = isWatched
      if !isWatched { state.inbox.removeAll(keepingCapacity: true) }
    }
    monitor.notifyAll()
  }

  /// Takes a packet, in the order of arrival. Never waits. The network thread.
  package func insert(_ packet: ReceivedAudioPacket) {
    let mustNotify = monitor.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      state.statistics.packetsInserted += 1
      guard state.isWatched else {
        state.statistics.packetsUnwatched += 1
        return false
      }
      if state.inbox.count >= Self.inboxLimit {
        state.inbox.removeFirst()
        state.statistics.packetsDropped += 1
      }
      state.inbox.append(packet)
      // While it plays, the thread looks each 10 ms by itself.
      return state.isIdle
    }
    if mustNotify { monitor.notifyOne() }
  }

  /// The same, from a caller that knows one stream only.
  package func insert(
    _ payload: [UInt8], sequenceNumber: UInt16, timestamp: UInt32, marker: Bool, arrival: Instant
  ) {
    insert(
      ReceivedAudioPacket(
        ssrc: 0, sequenceNumber: sequenceNumber, timestamp: timestamp, marker: marker, payload: payload,
        arrival: arrival))
  }

  package var statistics: AudioReceiveStatistics {
    let counts = queue.counts
    return monitor.withLock { state in
      var statistics = state.statistics
      statistics.framesDelivered = counts.delivered
      statistics.framesRefused = counts.refused
      return statistics
    }
  }

  /// Ends the track: no handler call begins after this has returned. Waits for the audio thread, never for a
  /// handler. Any thread; repeatable.
  package func close() {
    queue.setHandler(nil)
    monitor.withLock { state in
      state.isClosed = true
      state.isWatched = false
      state.inbox.removeAll()
    }
    monitor.notifyAll()
    thread.join()
  }

  private static func run(
    _ monitor: Monitor<State>, _ queue: AudioFrameQueue, _ handler: FrameLane, _ threads: FrameThreads
  ) {
    var stage = AudioDecodingStage()
    var generation = 0
    var tick = Instant.origin
    while let work = monitor.wait({ nextWork(tick, isIdle: stage.isIdle, &$0) }) {
      if work.generation != generation {
        generation = work.generation
        stage = AudioDecodingStage()
      }
      for packet in work.packets { stage.insert(packet) }
      let now = MonotonicClock.now()
      if now - tick > longestCatchUp { tick = now }
      tick += frameInterval
      stage.nextFrame(at: now) { queue.put($0, channels: stage.channels) }
      threads.schedule(handler)
      monitor.withLock { state in
        state.statistics.playout = stage.playout
        if state.statistics.decodeErrors != stage.decodeErrors {
          state.statistics.decodeErrors = stage.decodeErrors
          state.statistics.lastError = stage.lastError?.description
        }
      }
    }
  }

  private static func nextWork(
    _ tick: Instant, isIdle: Bool, _ state: inout State
  ) -> Monitor<State>.Outcome<Work?> {
    if state.isClosed { return .done(nil) }
    state.isIdle = !state.isWatched || isIdle
    if !state.isWatched || (isIdle && state.inbox.isEmpty) { return .sleep(until: .distantFuture) }
    guard tick <= MonotonicClock.now() else { return .sleep(until: tick) }
    let work = Work(packets: state.inbox, generation: state.generation)
    state.inbox.removeAll(keepingCapacity: true)
    state.isIdle = false
    return .done(work)
  }
}
