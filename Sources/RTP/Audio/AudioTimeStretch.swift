/// Makes a stretch of sound a pitch period shorter or longer without a click.
///
/// The period is found by comparing the sound with itself a little later; two neighbouring periods are
/// cross-faded into one, or one is repeated. Where no period fits, the sound is left alone, unless it is so
/// quiet that nobody hears the seam.
package enum AudioTimeStretch {
  /// 2.5 ms: the highest voices' period.
  private static let shortestPeriod = 120
  /// 10 ms: two of them fit in 20 ms of sound.
  private static let longestPeriod = 480
  /// The comparison looks at each fourth sample: 12 kHz is plenty for pitch.
  private static let stride = 4
  private static let requiredSimilarity = 0.85
  /// Mean square of sound at about -50 dB below full scale.
  private static let quiet = 10_000.0

  /// Changes `samples` (48 kHz, interleaved) as asked.
  ///
  /// - Returns: how many samples a channel were taken out (negative) or put in; 0 when left alone.
  package static func apply(
    _ adjustment: PlayoutAdjustment, to samples: inout [Int16], channels: Int
  ) -> Int {
    guard adjustment != .none, channels > 0 else { return 0 }
    let count = samples.count / channels
    guard count >= 2 * longestPeriod, let period = period(of: samples, channels: channels) else { return 0 }
    let size = period * channels
    switch adjustment {
    case .none: return 0
    case .shorten:
      // The first period fades into the second, which then goes on.
      for index in 0..<size {
        samples[index] = mix(samples[index], samples[index + size], step: index / channels, of: period)
      }
      samples.removeSubrange(size..<(2 * size))
      return -period
    case .lengthen:
      // After the first period, a period that begins as the second and ends as the first.
      var extra: [Int16] = []
      extra.reserveCapacity(size)
      for index in 0..<size {
        extra.append(mix(samples[index + size], samples[index], step: index / channels, of: period))
      }
      samples.insert(contentsOf: extra, at: size)
      return period
    }
  }

  private static func mix(_ from: Int16, _ to: Int16, step: Int, of steps: Int) -> Int16 {
    let sum = Int(from) * (steps - step) + Int(to) * step
    return Int16(clamping: sum / steps)
  }

  private static func period(of samples: [Int16], channels: Int) -> Int? {
    var best = (period: 0, similarity: 0.0)
    var isQuiet = true
    for period in Swift.stride(from: shortestPeriod, through: longestPeriod, by: stride) {
      var product = 0.0
      var first = 0.0
      var second = 0.0
      for index in Swift.stride(from: 0, to: period, by: stride) {
        let left = Double(samples[index * channels])
        let right = Double(samples[(index + period) * channels])
        product += left * right
        first += left * left
        second += right * right
      }
      let terms = Double(period / stride)
      if (first + second) / 2 > quiet * terms { isQuiet = false }
      let scale = (first * second).squareRoot()
      let similarity = scale > 0 ? product / scale : 0
      if similarity > best.similarity { best = (period, similarity) }
    }
    if best.similarity >= requiredSimilarity { return best.period }
    return isQuiet ? longestPeriod : nil
  }
}
