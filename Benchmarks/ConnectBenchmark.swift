import WireFormat

/// Setting up two connections of one process, from nothing to a data channel that is open at both ends.
enum ConnectBenchmark {
  private static let count = 200
  private static let goalMilliseconds = 4.0

  static func run(_ report: inout Report) async throws {
    let threads = try LiveThreads()
    var described: [Double] = []
    var connected: [Double] = []
    var open: [Double] = []
    var processor: [Double] = []
    for number in -10..<count {
      let used = processSeconds()
      let start = MonotonicClock.now()
      let pair = LivePair(threads)
      let steps = try await pair.connect(hasVideo: false)
      if number >= 0 {
        described.append((steps.described - start).inMilliseconds)
        connected.append((steps.connected - start).inMilliseconds)
        open.append((steps.open - start).inMilliseconds)
        processor.append((processSeconds() - used) * 1000)
      }
      await pair.close()
    }
    threads.stop()
    var table = Table(
      "Connecting, \(count) times, both ends in this process",
      ["from creation until", "p50, ms", "p99, ms", "goal"])
    for (step, times) in [
      ("both descriptions are known", described), ("both ends are connected", connected),
      ("the data channel is open at both ends", open), ("(CPU of all threads)", processor),
    ] {
      table.add(
        .text(step), .number(times.percentile(50)), .number(times.percentile(99)),
        step.contains("open") ? .number(goalMilliseconds) : .none)
    }
    report.add(table)
  }
}
