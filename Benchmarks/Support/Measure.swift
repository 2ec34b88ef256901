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
    let start = threadSeconds()
    try body()
    results.append((threadSeconds() - start) / Double(count))
  }
  return results.percentile(50)
}

/// Processor time of the calling thread.
func threadSeconds() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

/// Processor time of all threads together.
func processSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
  /// The value that `share` per cent of the others do not exceed; 0 of none.
  func percentile(_ share: Int) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, count * share / 100)]
  }
}

/// `value` with 0 to 3 digits behind the point.
func decimal(_ value: Double, digits: Int = 3) -> String {
  let scale = [1, 10, 100, 1000][digits]
  let scaled = Int((value.magnitude * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(scaled)" }
  return "\(sign)\(scaled / scale).\(String(scaled % scale + scale).dropFirst())"
}
