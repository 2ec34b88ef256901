import Media
import PeerConnection
import RTP
import WireFormat

/// Frames pushed as fast as the call returns, through encoder and network to a peer that decodes them.
enum PushBenchmark {
  private static let seconds = 3.0

  static func run(_ report: inout Report) async throws {
    var table = Table(
      "pushFrame without a pause, to a peer in this process",
      [
        "codec", "size", "calls/s", "CPU a call, µs", "encoded/s", "replaced, %", "shown by the peer/s",
        "cores",
        "mallocs an encoded frame",
      ])
    for codec in VideoCodec.allCases {
      for (width, height) in [(640, 360), (1280, 720), (1920, 1080)] {
        try await measure(codec, MovingPictures(width: width, height: height), &table)
      }
    }
    table.note("replaced: a newer frame came before the encoder took it")
    report.add(table)
  }

  private static func measure(
    _ codec: VideoCodec, _ pictures: MovingPictures, _ table: inout Table
  ) async throws {
    let threads = try LiveThreads()
    let pair = try await LivePair.withVideo(codec, threads)
    guard let pipeline = pair.sender.videoSender(LivePair.track),
      let receiving = pair.receiver.videoReceiver(LivePair.track)
    else { throw LivePair.Failure(reason: "no video was negotiated") }
    receiving.setHandler { _ in }
    // A second for the bandwidth estimate and the pools.
    _ = try push(pictures, to: pipeline, for: 1)
    let before = (pipeline.statistics, receiving.statistics, AllocationCount.now, processSeconds())
    let begun = MonotonicClock.now()
    let (calls, caller) = try push(pictures, to: pipeline, for: seconds)
    let elapsed = (MonotonicClock.now() - begun).inSeconds
    let after = (pipeline.statistics, receiving.statistics, AllocationCount.now, processSeconds())
    let encoded = Double(after.0.framesEncoded - before.0.framesEncoded)
    let replaced = Double(after.0.framesReplaced - before.0.framesReplaced)
    let shown = Double(after.1.framesDelivered - before.1.framesDelivered)
    table.add(
      .text(codec.rawValue), .text("\(pictures.width)x\(pictures.height)"), .number(Double(calls) / elapsed),
      .number(caller / Double(calls) * 1e6), .number(encoded / elapsed),
      .number(replaced / Double(calls) * 100), .number(shown / elapsed),
      .number((after.3 - before.3) / elapsed),
      .number(Double(after.2 - before.2) / encoded))
    await pair.close()
    threads.stop()
  }

  /// Calls and the caller's processor seconds.
  private static func push(
    _ pictures: MovingPictures, to pipeline: VideoSendPipeline, for seconds: Double
  ) throws -> (calls: Int, seconds: Double) {
    let begun = MonotonicClock.now()
    let used = threadSeconds()
    var calls = 0
    while (MonotonicClock.now() - begun).inSeconds < seconds {
      try pictures[calls].withUnsafeBytes {
        try pipeline.push(bgra: $0, width: pictures.width, height: pictures.height)
      }
      calls += 1
    }
    return (calls, threadSeconds() - used)
  }
}
