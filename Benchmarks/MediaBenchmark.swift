import Codecs
import Media
import RTP
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Video: pushing, encoding, decoding and delivering at three sizes, beside the codec library alone.
///
///     benchmarks media [frames]
enum MediaBenchmark {
  static let sizes = [(640, 360, 1_000_000), (1280, 720, 2_500_000), (1920, 1080, 4_500_000)]

  static func run(arguments: [String]) {
    let frames = arguments.first.flatMap { Int($0) } ?? 150
    do {
      for codec in VideoCodec.allCases {
        for (width, height, bitrate) in sizes {
          try run(codec, width, height, bitrate, frames)
        }
      }
    } catch {
      print("media: \(error)")
    }
  }

  private static func run(
    _ codec: VideoCodec, _ width: Int, _ height: Int, _ bitrate: Int, _ frames: Int
  ) throws {
    let pictures = MovingPictures(width: width, height: height)
    print("\(codec.rawValue) \(width)x\(height), \(frames) frames, \(bitrate / 1000) kbit/s")
    let (push, convert) = try pushing(pictures, codec)
    print("  push on the caller's thread \(decimal(push)) ms; conversion alone \(decimal(convert)) ms")
    let library = try encodingAlone(pictures, codec, bitrate, frames)
    let (pipeline, stream) = try encodingPipeline(pictures, codec, bitrate, frames)
    print(
      "  encode: library \(decimal(library)) ms, stage \(decimal(pipeline)) ms "
        + "(\(Int(1000 / pipeline)) fps)")
    let alone = try decodingAlone(stream)
    let received = try receiving(stream)
    print(
      "  decode: library \(decimal(alone)) ms; submit to handler, CPU of the process "
        + "\(decimal(received.processor)) ms, median latency \(decimal(received.latency)) ms, "
        + "mallocs a frame \(decimal(received.allocations))")
  }

  /// Milliseconds a frame: `push`, and the conversion in it.
  private static func pushing(_ pictures: MovingPictures, _ codec: VideoCodec) throws -> (Double, Double) {
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
    return (push * 1000, convert * 1000)
  }

  /// Milliseconds a frame of the encoder alone, by the clock: its threads work at the same time.
  private static func encodingAlone(
    _ pictures: MovingPictures, _ codec: VideoCodec, _ bitrate: Int, _ frames: Int
  ) throws -> Double {
    let encoder = try codec.makeEncoder(
      VideoEncoderSettings(
        width: pictures.width, height: pictures.height, bitrateBPS: bitrate, cores: 2, dropsFrames: false))
    let converted = try pictures.converted()
    var output: [UInt8] = []
    var times: [Double] = []
    for number in 0..<frames {
      output.removeAll(keepingCapacity: true)
      let start = MonotonicClock.now()
      _ = try encoder.encode(
        converted[number % converted.count].view, at: Int64(number) * 3000, duration: 3000,
        keyframe: number == 0, into: &output)
      times.append((MonotonicClock.now() - start).inMilliseconds)
    }
    return middle(times)
  }

  private static func encodingPipeline(
    _ pictures: MovingPictures, _ codec: VideoCodec, _ bitrate: Int, _ frames: Int
  ) throws -> (Double, [EncodedVideoFrame]) {
    let stage = VideoEncodingStage(
      codec: codec,
      configuration: VideoSendConfiguration(
        bitrateBPS: bitrate, cores: 2, dropsFrames: false, adaptsResolution: false))
    let converted = try pictures.converted()
    var stream: [EncodedVideoFrame] = []
    var times: [Double] = []
    for number in 0..<frames {
      var storage: [UInt8] = []
      storage.reserveCapacity(1 << 18)
      let start = MonotonicClock.now()
      let frame = try stage.encode(
        PushedVideoFrame(
          picture: converted[number % converted.count], captureTimeUs: Int64(number) * 33_333),
        keyframe: false, bitrateBPS: bitrate, storage: &storage)
      times.append((MonotonicClock.now() - start).inMilliseconds)
      if let frame { stream.append(frame) }
    }
    return (middle(times), stream)
  }

  private static func decodingAlone(_ stream: [EncodedVideoFrame]) throws -> Double {
    guard let codec = stream.first?.codec else { return 0 }
    let decoder = try codec.makeDecoder(cores: 2)
    var times: [Double] = []
    for frame in stream {
      let start = MonotonicClock.now()
      try frame.data.withUnsafeBytes { _ = try decoder.decode($0) }
      times.append((MonotonicClock.now() - start).inMilliseconds)
    }
    return middle(times)
  }

  /// The whole receiving side, one frame after the other, as a stream of 30 a second would come.
  private static func receiving(
    _ stream: [EncodedVideoFrame]
  ) throws -> (processor: Double, latency: Double, allocations: Double) {
    let delivery = DeliveryThread()
    let pipeline = VideoReceivePipeline(delivery: delivery) {}
    let shown = Monitor(0)
    pipeline.setHandler { _ in
      shown.withLock { $0 += 1 }
      shown.notifyOne()
    }
    var latencies: [Double] = []
    latencies.reserveCapacity(stream.count)
    var processor = 0.0
    var allocations = 0
    let warmUp = min(10, stream.count / 2)
    for (number, frame) in stream.enumerated() {
      if number == warmUp {
        processor = processSeconds()
        allocations = AllocationCount.now
      }
      let start = MonotonicClock.now()
      pipeline.submit(frame)
      shown.wait { $0 > number ? .done(()) : .sleep(until: .distantFuture) }
      latencies.append((MonotonicClock.now() - start).inMilliseconds)
    }
    let measured = Double(stream.count - warmUp)
    let used = (processSeconds() - processor) * 1000 / measured
    let made = Double(AllocationCount.now - allocations) / measured
    pipeline.close()
    delivery.close()
    return (used, middle(latencies), made)
  }

  private static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func processSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
