import Codecs
import WireFormat

/// One sending audio track: samples in on the caller's thread, Opus packets of 20 ms out on the track's
/// thread, at the pace of the samples, with silence in the gaps.
package final class AudioSendPipeline: Sendable {
  /// The sample rates that are taken; other than 48 kHz are resampled.
  package static let sampleRates = [8000, 16_000, 24_000, 32_000, 44_100, 48_000]
  /// A push is dropped, whole, when this much still waits: audio was pushed faster than it lasts.
  package static let backlogLimit = Interval.seconds(2 as Int64)
  /// The longest single push.
  package static let pushLimit = Interval.seconds(60 as Int64)

  private struct Chunk: Sendable {
    var samples: [Int16]
    var sampleRate: Int
    var channels: Int

    var length: Interval {
      .nanoseconds(Int64(samples.count / max(1, channels)) * 1_000_000_000 / Int64(max(1, sampleRate)))
    }
  }

  private struct State: Sendable {
    var chunks: [Chunk] = []
    /// Of `chunks`, and of what the audio thread holds.
    var waiting = Interval.zero
    var backlog = Interval.zero
    var lossPercent: Int?
    var bitrateBPS: Int?
    var isClosed = false
    var statistics = AudioSendStatistics()
  }

  private struct Work {
    var chunks: [Chunk]
    var lossPercent: Int?
    var bitrateBPS: Int?
  }

  private let monitor: Monitor<State>
  private let thread: WorkerThread

  /// - Parameter onPacket: called on the track's thread. Must not block.
  package init(
    configuration: AudioSendConfiguration = AudioSendConfiguration(),
    onPacket: @escaping @Sendable (EncodedAudioPacket) -> Void
  ) {
    let monitor = Monitor(State())
    self.monitor = monitor
    thread = WorkerThread(name: "encode audio") {
      Self.run(configuration, monitor, onPacket)
    }
  }

  deinit {
    close()
  }

  /// Takes samples, interleaved, of any number. Never waits.
  ///
  /// - Throws: `unsupported` for other rates or channel counts, a count that is not a multiple of
  ///   `channels`, or more than `pushLimit`; `closed`.
  package func push(
    _ samples: [Int16], sampleRate: Int = 48_000, channels: Int = 1
  ) throws(MediaError) {
    guard channels == 1 || channels == 2 else { throw .unsupported("\(channels) audio channels") }
    guard Self.sampleRates.contains(sampleRate) else { throw .unsupported("\(sampleRate) Hz") }
    guard samples.count % channels == 0 else {
      throw .unsupported("\(samples.count) samples of \(channels) channels")
    }
    let chunk = Chunk(samples: samples, sampleRate: sampleRate, channels: channels)
    guard chunk.length <= Self.pushLimit else {
      throw .unsupported("\(samples.count) samples in one push")
    }
    let isOpen = monitor.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      guard state.waiting + state.backlog <= Self.backlogLimit else {
        state.statistics.pushesDropped += 1
        return true
      }
      state.statistics.framesPushed += samples.count / channels
      state.chunks.append(chunk)
      state.waiting += chunk.length
      return true
    }
    guard isOpen else { throw .closed }
    monitor.notifyOne()
  }

  /// How many packets of a hundred the path loses: in-band FEC from 1 % on.
  package func setLoss(percent: Int) {
    monitor.withLock { $0.lossPercent = percent }
  }

  package func setTargetBitrate(_ bitsPerSecond: Int) {
    monitor.withLock { $0.bitrateBPS = bitsPerSecond }
  }

  package var statistics: AudioSendStatistics { monitor.withLock { $0.statistics } }

  /// Ends the track; what waits is dropped. Waits for the track's thread, except on it. Repeatable.
  package func close() {
    monitor.withLock { state in
      state.isClosed = true
      state.chunks.removeAll()
    }
    monitor.notifyAll()
    thread.join()
  }

  private static func run(
    _ configuration: AudioSendConfiguration, _ monitor: Monitor<State>,
    _ onPacket: @Sendable (EncodedAudioPacket) -> Void
  ) {
    let stage = AudioEncodingStage(configuration)
    var timeout: Instant?
    while let work = monitor.wait({ nextWork(until: timeout, &$0) }) {
      do throws(CodecError) {
        if let percent = work.lossPercent { try stage.setLoss(percent: percent) }
        if let bitrate = work.bitrateBPS { try stage.setBitrate(bitrate) }
        for chunk in work.chunks {
          try stage.insert(chunk.samples, sampleRate: chunk.sampleRate, channels: chunk.channels)
        }
      } catch {
        note(error, monitor)
      }
      while let packet = nextPacket(stage, monitor) { onPacket(packet) }
      timeout = stage.nextTimeout()
      let backlog = stage.backlog
      monitor.withLock { state in
        state.backlog = backlog
        state.statistics.packetsOfSilence = stage.packetsOfSilence
      }
    }
  }

  private static func nextWork(
    until timeout: Instant?, _ state: inout State
  ) -> Monitor<State>.Outcome<Work?> {
    if state.isClosed { return .done(nil) }
    let deadline = timeout ?? .distantFuture
    guard !state.chunks.isEmpty || deadline <= MonotonicClock.now() else { return .sleep(until: deadline) }
    let work = Work(chunks: state.chunks, lossPercent: state.lossPercent, bitrateBPS: state.bitrateBPS)
    state.chunks.removeAll()
    state.backlog += state.waiting
    state.waiting = .zero
    state.lossPercent = nil
    state.bitrateBPS = nil
    return .done(work)
  }

  private static func nextPacket(
    _ stage: AudioEncodingStage, _ monitor: Monitor<State>
  ) -> EncodedAudioPacket? {
    do throws(CodecError) {
      guard let packet = try stage.nextPacket(at: MonotonicClock.now()) else { return nil }
      monitor.withLock { state in
        state.statistics.packetsEncoded += 1
        state.statistics.bytesEncoded += packet.payload.count
      }
      return packet
    } catch {
      note(error, monitor)
      return nil
    }
  }

  private static func note(_ error: CodecError, _ monitor: Monitor<State>) {
    monitor.withLock { state in
      state.statistics.encodeErrors += 1
      state.statistics.lastError = error.description
    }
  }
}
