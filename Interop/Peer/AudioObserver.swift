import Foundation
import Media
import ReactorTypes
import Synchronization

/// Hears a track's sound. Its report: `frames` of 10 ms; `level`, the root mean square of the last half second;
/// `hertz`, the strongest frequency in it; `purity`, the decibels of that tone over all else (the median of
/// tenths of a second, so that one concealed packet does not decide).
final class AudioObserver: Sendable {
  private struct State {
    var frames = 0
    /// The newest half second of the first channel at 48 kHz.
    var samples: [Int16] = []
  }

  private static let rate = 48_000.0
  private static let kept = 24_000

  private let state = Mutex(State())

  func hear(_ frame: borrowing ReceivedAudioFrame) {
    let channels = frame.channels
    let mono = stride(from: 0, to: frame.samples.count, by: channels).map { frame.samples[$0] }
    state.withLock { state in
      state.frames += 1
      state.samples += mono
      let surplus = state.samples.count - AudioObserver.kept
      if surplus > 0 { state.samples.removeFirst(surplus) }
    }
  }

  func report(reset: Bool) -> [String: JSONValue] {
    let (frames, samples) = state.withLock { state in
      defer { if reset { state = State() } }
      return (state.frames, state.samples.map { Double($0) })
    }
    guard samples.count == AudioObserver.kept else { return ["frames": .number(Double(frames))] }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    let hertz = AudioObserver.strongest(in: samples)
    let tenths = stride(from: 0, to: samples.count, by: 4800).map { start in
      AudioObserver.purity(of: hertz, in: samples[start..<start + 4800])
    }
    return [
      "frames": .number(Double(frames)), "level": .number(power.squareRoot()), "hertz": .number(hertz),
      "purity": .number(tenths.sorted()[tenths.count / 2]),
    ]
  }

  /// Steps of 2 Hz up to 4 kHz, as fine as half a second can tell, then of half a hertz around the best of them.
  private static func strongest(in samples: [Double]) -> Double {
    func best(_ candidates: StrideThrough<Double>) -> Double {
      candidates.max { power(of: $0, in: samples[...]) < power(of: $1, in: samples[...]) } ?? 0
    }
    let coarse = best(stride(from: 50, through: 4000, by: 2))
    return best(stride(from: coarse - 2, through: coarse + 2, by: 0.5))
  }

  /// Mean power of the part of `samples` that is a sine of this frequency (Goertzel).
  private static func power(of hertz: Double, in samples: ArraySlice<Double>) -> Double {
    let coefficient = 2 * cos(2 * .pi * hertz / rate)
    var (last, before) = (0.0, 0.0)
    for sample in samples { (last, before) = (sample + coefficient * last - before, last) }
    let squared = last * last + before * before - coefficient * last * before
    let count = Double(samples.count)
    return 2 * squared / (count * count)
  }

  private static func purity(of hertz: Double, in samples: ArraySlice<Double>) -> Double {
    let total = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    let tone = power(of: hertz, in: samples)
    return 10 * log10(max(tone, 1e-9) / max(total - tone, 1e-9))
  }
}
