import Codecs
import Media
import RTP
import WireFormat

/// The pipelines at three sizes, beside libvpx and libyuv called in a plain loop.
enum CodecsBenchmark {
  private static let sizes = [(640, 360, 1_000_000), (1280, 720, 2_500_000), (1920, 1080, 4_500_000)]
  private static let framesPerSecond = 25
  /// The first ones make buffers and fill caches.
  private static let warmUpFrames = 30
  private static let frames = 300

  static func run(_ report: inout Report) throws {
    let columns = [
      "codec", "size", "plain loop, ms", "loop on a woken thread, ms", "ours, ms", "over the woken loop, %",
      "over the plain one, %", "mallocs a frame", "of them the libraries'",
    ]
    var encoding = Table("Encoding, BGRA to bitstream: CPU a frame, all threads", columns)
    var decoding = Table("Decoding, bitstream to the handler's BGRA: CPU a frame, all threads", columns)
    var pushing = Table(
      "pushFrame: CPU of the caller's thread", ["codec", "size", "ms", "conversion alone, ms"])
    for codec in VideoCodec.allCases {
      for (width, height, bitrate) in sizes {
        let pictures = MovingPictures(width: width, height: height)
        try encode(codec, pictures, bitrate, &encoding)
        try decode(codec, try stream(codec, pictures, bitrate), pictures, &decoding)
        try push(codec, pictures, &pushing)
      }
    }
    for table in [encoding, decoding] {
      var table = table
      table.note(
        "the loops call libyuv and libvpx alone; one thread decodes what another received, so it has to be woken for"
          + " each frame, and so is the second loop's")
      table.note(
        "medians of \(frames) frames, each by all three in turn; in per cent: of the differences by frame")
      report.add(table)
    }
    report.add(pushing)
  }

  /// Processor seconds and allocations of each measurement.
  private struct Cost {
    var seconds: [Double] = []
    var allocations = 0

    init() { seconds.reserveCapacity(frames) }

    /// - Parameter wait: waits on this thread for what `body` began; what that takes of this thread's own time is
    ///   the benchmark's.
    mutating func measure(isWarm: Bool, _ body: () throws -> Void, wait: () -> Void = {}) rethrows {
      let before = AllocationCount.now
      let start = processSeconds()
      try body()
      let waiting = threadSeconds()
      wait()
      let waited = threadSeconds() - waiting
      guard isWarm else { return }
      allocations += AllocationCount.now - before
      seconds.append(processSeconds() - start - waited)
    }

    var milliseconds: Double { seconds.percentile(50) * 1000 }
    var mallocs: Double { Double(allocations) / Double(max(1, seconds.count)) }

    /// The median of the differences, in per cent of the other's median.
    func overhead(over other: Cost) -> Double {
      zip(seconds, other.seconds).map { $0 - $1 }.percentile(50) * 1000 / other.milliseconds * 100
    }
  }

  /// The same frame by each of three, the first in turn: what else the machine does then meets all alike.
  private struct Contest {
    var plain = Cost()
    var woken = Cost()
    var ours = Cost()

    mutating func run(
      _ number: Int, plain: () throws -> Void, woken: WokenLoop, ours: () throws -> Void, wait: () -> Void
    ) throws {
      let isWarm = number >= warmUpFrames
      for turn in 0..<3 {
        switch (number + turn) % 3 {
        case 0: try self.plain.measure(isWarm: isWarm, plain)
        case 1:
          self.woken.measure(isWarm: isWarm, { woken.start(number) }, wait: { woken.wait(for: number) })
        default: try self.ours.measure(isWarm: isWarm, ours, wait: wait)
        }
      }
    }

    func add(_ codec: VideoCodec, _ pictures: MovingPictures, to table: inout Table) {
      table.add(
        .text(codec.rawValue), .text("\(pictures.width)x\(pictures.height)"), .number(plain.milliseconds),
        .number(woken.milliseconds), .number(ours.milliseconds), .number(ours.overhead(over: woken)),
        .number(ours.overhead(over: plain)), .number(ours.mallocs), .number(plain.mallocs))
    }
  }

  private static func encode(
    _ codec: VideoCodec, _ pictures: MovingPictures, _ bitrate: Int, _ table: inout Table
  ) throws {
    func bare() throws -> BareEncoder {
      try BareEncoder(
        codec, width: pictures.width, height: pictures.height, bitrateBPS: bitrate,
        framesPerSecond: framesPerSecond)
    }
    let plain = try bare()
    let woken = WokenLoop(try bare()) { try $0.encode(bgra: pictures[$1]) }
    let encoded = Monitor<EncodedVideoFrame?>(nil)
    let pipeline = VideoSendPipeline(codec: codec, configuration: configuration(bitrate)) { frame in
      encoded.withLock { $0 = frame }
      encoded.notifyOne()
    }
    var contest = Contest()
    var difference = 0
    for number in 0..<warmUpFrames + frames {
      try contest.run(
        number, plain: { difference += try plain.encode(bgra: pictures[number]) }, woken: woken
      ) {
        try pictures[number].withUnsafeBytes {
          try pipeline.push(
            bgra: $0, width: pictures.width, height: pictures.height,
            captureTimeUs: Int64(number) * 1_000_000 / Int64(framesPerSecond))
        }
      } wait: {
        var frame = encoded.wait { frame in
          frame.take().map { .done($0) } ?? .sleep(until: .distantFuture)
        }
        difference -= frame.data.count
        // Out of the frame, or two would hold it and its memory could not be reused.
        var data: [UInt8] = []
        swap(&data, &frame.data)
        pipeline.recycle(data)
      }
    }
    pipeline.close()
    woken.stop()
    contest.add(codec, pictures, to: &table)
    if difference != 0 {
      table.note(
        "\(codec.rawValue) \(pictures.width)x\(pictures.height): the bitstreams differ, \(difference) B")
    }
  }

  private static func configuration(_ bitrate: Int) -> VideoSendConfiguration {
    VideoSendConfiguration(
      bitrateBPS: bitrate, framesPerSecond: Double(framesPerSecond), cores: 2, dropsFrames: false,
      adaptsResolution: false)
  }

  private static func stream(
    _ codec: VideoCodec, _ pictures: MovingPictures, _ bitrate: Int
  ) throws -> [EncodedVideoFrame] {
    let stage = VideoEncodingStage(codec: codec, configuration: configuration(bitrate))
    let converted = try pictures.converted()
    return try (0..<warmUpFrames + frames).compactMap { number in
      var storage: [UInt8] = []
      return try stage.encode(
        PushedVideoFrame(
          picture: converted[number % converted.count],
          captureTimeUs: Int64(number) * 1_000_000 / Int64(framesPerSecond)),
        keyframe: false, bitrateBPS: bitrate, storage: &storage)
    }
  }

  /// One frame after the other, as a stream of 30 a second would come.
  private static func decode(
    _ codec: VideoCodec, _ stream: [EncodedVideoFrame], _ pictures: MovingPictures, _ table: inout Table
  ) throws {
    func bare() throws -> BareDecoder {
      try BareDecoder(codec, width: pictures.width, height: pictures.height)
    }
    let plain = try bare()
    let woken = WokenLoop(try bare()) { try $0.decode(stream[$1].data) }
    let threads = FrameThreads()
    let pipeline = VideoReceivePipeline(threads: threads) {}
    let shown = Monitor(0)
    pipeline.setHandler { _ in
      shown.withLock { $0 += 1 }
      shown.notifyOne()
    }
    var contest = Contest()
    for number in stream.indices {
      try contest.run(
        number, plain: { try plain.decode(stream[number].data) }, woken: woken,
        ours: { pipeline.submit(stream[number]) },
        wait: { shown.wait { $0 > number ? .done(()) : .sleep(until: .distantFuture) } })
    }
    pipeline.close()
    threads.close()
    woken.stop()
    contest.add(codec, pictures, to: &table)
  }

  private static func push(_ codec: VideoCodec, _ pictures: MovingPictures, _ table: inout Table) throws {
    let pipeline = VideoSendPipeline(codec: codec, configuration: VideoSendConfiguration()) { _ in }
    let push = try median(rounds: 5, count: 100) {
      for number in 0..<100 {
        try pictures[number].withUnsafeBytes {
          try pipeline.push(bgra: $0, width: pictures.width, height: pictures.height)
        }
      }
    }
    pipeline.close()
    let target = try I420Buffer(width: pictures.width, height: pictures.height)
    let convert = try median(rounds: 5, count: 100) {
      for number in 0..<100 {
        try pictures[number].withUnsafeBytes {
          try PixelConverter.convert(bgra: $0, stride: pictures.width * 4, into: target)
        }
      }
    }
    table.add(
      .text(codec.rawValue), .text("\(pictures.width)x\(pictures.height)"), .number(push * 1000),
      .number(convert * 1000))
  }
}
