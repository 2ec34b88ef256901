/// The area `rtp`: packets on one core, in memory, and their allocations.
enum RTPBenchmark {
  static func run(_ report: inout Report) {
    var table = Table("RTP on one core", ["packet", "µs", "a second", "mallocs"])
    RTPReceiveBenchmark.run(&table)
    RTPSendBenchmark.run(&table)
    report.add(table)
  }
}
