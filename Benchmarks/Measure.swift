import WireFormat

/// Seconds that one of `count` repetitions inside `body` takes: the median of `rounds` runs.
func median(rounds: Int, count: Int, _ body: () throws -> Void) rethrows -> Double {
  var results: [Double] = []
  for _ in 0..<rounds {
    let start = MonotonicClock.now()
    try body()
    results.append((MonotonicClock.now() - start).inSeconds / Double(count))
  }
  results.sort()
  return results[rounds / 2]
}

func microseconds(_ seconds: Double) -> String { decimal(seconds * 1e6) }

/// Three digits behind the point.
func decimal(_ value: Double) -> String {
  let thousandths = Int((value * 1000).rounded())
  let fraction = String(thousandths % 1000 + 1000).dropFirst()
  return "\(thousandths / 1000).\(fraction)"
}
