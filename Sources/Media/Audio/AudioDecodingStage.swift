import Codecs
import RTP
import WireFormat

/// Everything between received Opus packets and frames of 10 ms: jitter buffer, decoder, concealment, tempo.
/// Belongs to one thread; time comes in.
package final class AudioDecodingStage {
  /// Samples a channel in a frame.
  package static let frameLength = 480

  private var jitterBuffer = AudioJitterBuffer()
  private var decoder: OpusDecoder?
  private var queue = SampleQueue()
  private var scratch = [Int16](repeating: 0, count: OpusDecoder.maximumFrames * 2)
  private var stretched: [Int16] = []
  /// Of what `nextFrame` gives: stereo from the first stereo packet on.
  package private(set) var channels = 1
  package private(set) var decodeErrors = 0
  package private(set) var lastError: CodecError?
  /// Frames of pure silence in a row, without a packet in between.
  private var silentFrames = 0
  private var hasStream = false

  package init() {}

  package var playout: AudioPlayoutStatistics { jitterBuffer.statistics }

  /// Whether a second has passed in which there was nothing to play: the sender stopped, or was paused.
  package var isIdle: Bool { !hasStream || silentFrames >= 100 }

  package func insert(_ packet: ReceivedAudioPacket) {
    jitterBuffer.insert(packet)
    hasStream = true
    silentFrames = 0
  }

  /// Lends the next 10 ms, interleaved, to `body`.
  package func nextFrame(at now: Instant, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    // Each operation gives at least 2.5 ms, or resets: the bound only stands for a broken buffer.
    var operations = 0
    while queue.count < Self.frameLength * channels, operations < 16 {
      operations += 1
      perform(jitterBuffer.next(at: now, queuedSamples: queue.count / channels))
    }
    queue.append(zeros: Self.frameLength * channels - queue.count)
    queue.read(Self.frameLength * channels, body)
  }

  private func perform(_ operation: AudioPlayoutOperation) {
    switch operation {
    case .decode(let packet, let adjustment):
      silentFrames = 0
      let failed = packet.payload.withUnsafeBytes { payload in
        !run(frames: OpusDecoder.maximumFrames, adjustment) { (output) throws(CodecError) in
          try decoder(for: payload).decode(payload, into: output)
        }
      }
      if failed { conceal(frames: 960) }
    case .recover(let packet, let samples):
      let failed = packet.payload.withUnsafeBytes { payload in
        !run(frames: samples) { (output) throws(CodecError) in
          try decoder(for: payload).recover(from: payload, frames: samples, into: output)
        }
      }
      if failed { conceal(frames: samples) }
    case .conceal(let samples):
      conceal(frames: samples)
    case .silence(let samples, let hasNoise):
      silentFrames += 1
      if hasNoise { conceal(frames: samples) } else { queue.append(zeros: samples * channels) }
    case .resetDecoder:
      decoder?.reset()
    }
  }

  /// Opus conceals in steps of 2.5 ms; what is left over of another length is silence.
  private func conceal(frames: Int) {
    let whole = min(frames, OpusDecoder.maximumFrames) / 120 * 120
    var isDone = false
    if whole > 0, let decoder {
      isDone = run(frames: whole) { (output) throws(CodecError) in
        try decoder.conceal(frames: whole, into: output)
      }
    }
    queue.append(zeros: (isDone ? frames - whole : frames) * channels)
  }

  /// Appends what `body` writes. Returns false, and appends nothing, when it threw.
  private func run(
    frames: Int, _ adjustment: PlayoutAdjustment = .none,
    _ body: (UnsafeMutableBufferPointer<Int16>) throws(CodecError) -> Int
  ) -> Bool {
    let room = min(scratch.count, max(0, frames) * 2)
    do throws(CodecError) {
      let count = try write(room, body) * channels
      guard adjustment != .none else {
        scratch.withUnsafeBufferPointer { queue.append(UnsafeBufferPointer(rebasing: $0[..<count])) }
        return true
      }
      stretched.removeAll(keepingCapacity: true)
      stretched.append(contentsOf: scratch[..<count])
      _ = AudioTimeStretch.apply(adjustment, to: &stretched, channels: channels)
      stretched.withUnsafeBufferPointer { queue.append($0) }
      return true
    } catch {
      decodeErrors += 1
      lastError = error
      return false
    }
  }

  private func write(
    _ room: Int, _ body: (UnsafeMutableBufferPointer<Int16>) throws(CodecError) -> Int
  ) throws(CodecError) -> Int {
    let result = scratch.withUnsafeMutableBufferPointer { output -> Result<Int, CodecError> in
      do throws(CodecError) {
        return .success(try body(UnsafeMutableBufferPointer(rebasing: output[..<room])))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func decoder(for payload: UnsafeRawBufferPointer) throws(CodecError) -> OpusDecoder {
    let isStereo = OpusDecoder.channels(in: payload) == 2
    if let decoder, !isStereo || channels == 2 { return decoder }
    let wanted = isStereo ? 2 : channels
    let made = try OpusDecoder(channels: wanted)
    queue.remix(from: channels, to: wanted)
    channels = wanted
    decoder = made
    return made
  }
}
