#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A sine that goes on where it stopped.
struct ToneGenerator {
  private let step: Double
  private var phase = 0.0

  init(frequency: Double, sampleRate: Double) {
    step = 2 * .pi * frequency / sampleRate
  }

  /// The next `count` samples at a quarter of full scale.
  mutating func next(_ count: Int) -> [Int16] {
    (0..<count).map { _ in
      defer { phase = (phase + step).truncatingRemainder(dividingBy: 2 * .pi) }
      return Int16(sin(phase) * 8192)
    }
  }
}
