#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Processor seconds that one of `count` repetitions inside `body` takes: the median of `rounds` runs.
///
/// The thread's own time, not the clock's: other programs on the machine do not count.
func median(rounds: Int, count: Int, _ body: () throws -> Void) rethrows -> Double {
  var results: [Double] = []
  for _ in 0..<rounds {
    let start = processorSeconds()
    try body()
    results.append((processorSeconds() - start) / Double(count))
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

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
