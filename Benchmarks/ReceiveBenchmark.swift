import Media
import PeerConnection
import RTP
import WireFormat

/// Thirty frames a second from a peer in this process: what receiving costs, thread by thread, and how late
/// a picture is.
enum ReceiveBenchmark {
  private static let frames = 120
  private static let interval = Interval.nanoseconds(33_333_333)

  static func run(_ report: inout Report) async throws {
    var table = Table(
      "Receiving 30 frames a second: CPU a frame of the receiving threads",
      [
        "codec", "size", "shown", "network, ms", "decoder and handlers, ms", "push to handler p50, ms",
        "p95, ms",
        "mallocs a frame, both ends",
      ])
    for codec in VideoCodec.allCases {
      for (width, height) in [(640, 360), (1280, 720), (1920, 1080)] {
        try await measure(codec, MovingPictures(width: width, height: height), &table)
      }
    }
    table.note("from push to handler: conversion, encoder, pacer, loopback, decoder, conversion")
    report.add(table)
  }

  private struct Arrivals: Sendable {
    var latencies: [Double] = []
  }

  private static func measure(
    _ codec: VideoCodec, _ pictures: MovingPictures, _ table: inout Table
  ) async throws {
    let threads = try LiveThreads()
    let pair = try await LivePair.withVideo(codec, threads)
    guard let pipeline = pair.sender.videoSender(LivePair.track),
      let receiving = pair.receiver.videoReceiver(LivePair.track)
    else { throw LivePair.Failure(reason: "no video was negotiated") }
    let arrivals = Monitor(Arrivals())
    receiving.setHandler { frame in
      guard let captured = frame.metadata?.captureTimeUs else { return }
      let late = Double(MonotonicClock.now().microseconds - Int64(captured)) / 1000
      arrivals.withLock { $0.latencies.append(late) }
    }
    arrivals.withLock { $0.latencies.reserveCapacity(4 * frames) }
    // Two seconds for the bandwidth estimate and the pools.
    try push(pictures, to: pipeline, frames: 60)
    arrivals.withLock { $0.latencies.removeAll(keepingCapacity: true) }
    let before = (threadTimes(), AllocationCount.now)
    try push(pictures, to: pipeline, frames: frames)
    let after = (threadTimes(), AllocationCount.now)
    let latencies = arrivals.withLock { $0.latencies }
    func cost(_ name: String) -> Table.Value {
      guard let end = after.0[name] else { return .none }
      return .number((end - (before.0[name] ?? 0)) * 1000 / Double(frames))
    }
    table.add(
      .text(codec.rawValue), .text("\(pictures.width)x\(pictures.height)"), .count(latencies.count),
      cost("bench-receive"), cost("bench-frames"), .number(latencies.percentile(50)),
      .number(latencies.percentile(95)), .number(Double(after.1 - before.1) / Double(frames)))
    await pair.close()
    threads.stop()
  }

  private static func push(_ pictures: MovingPictures, to pipeline: VideoSendPipeline, frames: Int) throws {
    let pause = Monitor(())
    var due = MonotonicClock.now()
    for number in 0..<frames {
      due = due + interval
      let until = due
      pause.wait { _ -> Monitor<Void>.Outcome<Void> in
        MonotonicClock.now() >= until ? .done(()) : .sleep(until: until)
      }
      try pictures[number].withUnsafeBytes {
        try pipeline.push(
          bgra: $0, width: pictures.width, height: pictures.height,
          captureTimeUs: MonotonicClock.now().microseconds)
      }
    }
  }
}
