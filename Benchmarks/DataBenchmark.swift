import PeerConnection
import WireFormat

/// Data-channel messages through whole connections: SCTP, DTLS, ICE and sockets, an end on each of two threads.
enum DataBenchmark {
  private static let seconds = 2.0
  /// Sent and not yet received at most, so that memory stays out of it.
  private static let window = 4 << 20

  static func run(_ report: inout Report) async throws {
    var table = Table(
      "Data channel over loopback, both ends in this process",
      ["message, B", "MB/s", "cores used", "MB/s a core", "ns of CPU a byte"])
    for size in [1024, 16_384, 65_536, 262_144] { try await measure(size, &table) }
    report.add(table)
  }

  private static func measure(_ size: Int, _ table: inout Table) async throws {
    let threads = try LiveThreads()
    let pair = LivePair(threads)
    _ = try await pair.connect(hasVideo: false)
    let message = [UInt8](repeating: 7, count: size)
    let batch = max(1, 262_144 / size)
    var sent = 0
    let begun = MonotonicClock.now()
    let used = processSeconds()
    while (MonotonicClock.now() - begun).inSeconds < seconds {
      let limit = sent - window
      try pair.wait { $0.bytesReceived >= limit }
      sent += batch * size
      threads.sending.submit {
        pair.sender.assumeIsolated { sender in
          for _ in 0..<batch { try? sender.send(message, isText: false, on: LivePair.channel) }
        }
      }
    }
    let elapsed = (MonotonicClock.now() - begun).inSeconds
    let processor = processSeconds() - used
    let received = Double(pair.progress.withLock { $0.bytesReceived })
    table.add(
      .count(size), .number(received / elapsed / 1e6), .number(processor / elapsed),
      .number(received / processor / 1e6), .number(processor / received * 1e9))
    await pair.close()
    threads.stop()
  }
}
