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
      "codec", "size", "libraries alone, ms", "ours, ms", "overhead, %", "ours, frames/s", "mallocs a frame",
      "of them the libraries'",
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
        "medians of \(frames) frames, each by ours and by the libraries; overhead: median of the pairs' differences"
      )
      report.add(table)
    }
    report.add(pushing)
  }

  /// Processor seconds and allocations of each frame.
  private struct Cost {
    var seconds: [Double] = []
    var allocations = 0

    init() { seconds.reserveCapacity(frames) }

    mutating func measure(isWarm: Bool, _ body: () throws -> Void) rethrows {
      let before = AllocationCount.now
      let start = processSeconds()
      try body()
      guard isWarm else { return }
      allocations += AllocationCount.now - before
      seconds.append(processSeconds() - start)
    }

    var milliseconds: Double { seconds.percentile(50) * 1000 }
    var mallocs: Double { Double(allocations) / Double(max(1, seconds.count)) }
  }

  /// The same frame by both, in changing order: what else the machine does then meets both alike.
  private static func alternate(
    _ number: Int, _ libraries: inout Cost, _ ours: inout Cost, bare: () throws -> Void,
    pipeline: () throws -> Void
  ) rethrows {
    let isWarm = number >= warmUpFrames
    if number % 2 == 0 { try libraries.measure(isWarm: isWarm, bare) }
    try ours.measure(isWarm: isWarm, pipeline)
    if number % 2 != 0 { try libraries.measure(isWarm: isWarm, bare) }
  }

  private static func add(
    _ codec: VideoCodec, _ pictures: MovingPictures, ours: Cost, libraries: Cost, to table: inout Table
  ) {
    table.add(
      .text(codec.rawValue), .text("\(pictures.width)x\(pictures.height)"), .number(libraries.milliseconds),
      .number(ours.milliseconds),
      .number(
        zip(ours.seconds, libraries.seconds).map { $0 - $1 }.percentile(50) * 1000 / libraries.milliseconds
          * 100),
      .number(1000 / ours.milliseconds), .number(ours.mallocs), .number(libraries.mallocs))
  }

  private static func encode(
    _ codec: VideoCodec, _ pictures: MovingPictures, _ bitrate: Int, _ table: inout Table
  ) throws {
    let bare = try BareEncoder(
      codec, width: pictures.width, height: pictures.height, bitrateBPS: bitrate,
      framesPerSecond: framesPerSecond)
    let encoded = Monitor<EncodedVideoFrame?>(nil)
    let pipeline = VideoSendPipeline(codec: codec, configuration: configuration(bitrate)) { frame in
      encoded.withLock { $0 = frame }
      encoded.notifyOne()
    }
    var libraries = Cost()
    var ours = Cost()
    var difference = 0
    for number in 0..<warmUpFrames + frames {
      try alternate(number, &libraries, &ours) {
        difference += try bare.encode(bgra: pictures[number])
      } pipeline: {
        try pictures[number].withUnsafeBytes {
          try pipeline.push(
            bgra: $0, width: pictures.width, height: pictures.height,
            captureTimeUs: Int64(number) * 1_000_000 / Int64(framesPerSecond))
        }
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
    add(codec, pictures, ours: ours, libraries: libraries, to: &table)
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
    let bare = try BareDecoder(codec, width: pictures.width, height: pictures.height)
    let delivery = DeliveryThread()
    let pipeline = VideoReceivePipeline(delivery: delivery) {}
    let shown = Monitor(0)
    pipeline.setHandler { _ in
      shown.withLock { $0 += 1 }
      shown.notifyOne()
    }
    var libraries = Cost()
    var ours = Cost()
    for number in stream.indices {
      try alternate(number, &libraries, &ours) {
        try bare.decode(stream[number].data)
      } pipeline: {
        pipeline.submit(stream[number])
        shown.wait { $0 > number ? .done(()) : .sleep(until: .distantFuture) }
      }
    }
    pipeline.close()
    delivery.close()
    add(codec, pictures, ours: ours, libraries: libraries, to: &table)
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
