import Codecs
import Media
import RTP
import Synchronization
import TestSupport
import Testing
import WireFormat

@Suite struct VideoReceivePipelineTests {
  /// Encoded frames of the moving pattern, the first of each `keyframes` a keyframe.
  static func stream(
    _ codec: VideoCodec, frames: Int, width: Int = 160, height: Int = 96, keyframes: Int = 10
  ) throws -> [EncodedVideoFrame] {
    let stage = VideoEncodingStage(codec: codec, configuration: VideoSendConfiguration(dropsFrames: false))
    let pattern = MovingPattern(width: width, height: height)
    let picture = try I420Buffer(width: width, height: height)
    return try (0..<frames).map { number in
      try pattern.frame(number).withUnsafeBytes {
        try PixelConverter.convert(bgra: $0, stride: width * 4, into: picture)
      }
      var storage: [UInt8] = []
      let frame = try stage.encode(
        PushedVideoFrame(
          picture: picture, captureTimeUs: Int64(number) * 33_333,
          metadata: FrameMetadata(captureTimeUs: UInt64(number), userData: [UInt8(number & 255)])),
        keyframe: number % keyframes == 0, bitrateBPS: 500_000, storage: &storage)
      return try #require(frame)
    }
  }

  struct Seen: Sendable {
    var width: Int
    var height: Int
    var timestamp: UInt32
    var metadata: FrameMetadata?
    var pixels: [UInt8]
  }

  static func handler(_ seen: Collector<Seen>) -> VideoReceivePipeline.Handler {
    { frame in
      seen.add(
        Seen(
          width: frame.width, height: frame.height, timestamp: frame.rtpTimestamp, metadata: frame.metadata,
          pixels: Array(frame.pixels)))
    }
  }

  @Test(arguments: VideoCodec.allCases)
  func `frames arrive as pictures with their metadata`(_ codec: VideoCodec) throws {
    let frames = try Self.stream(codec, frames: 12)
    let threads = FrameThreads()
    let pipeline = VideoReceivePipeline(threads: threads) {}
    let seen = Collector<Seen>()
    pipeline.setHandler(Self.handler(seen))
    for (number, frame) in frames.enumerated() {
      pipeline.submit(frame)
      _ = seen.wait(for: number + 1)
    }
    pipeline.close()
    threads.close()
    #expect(seen.all.count == 12)
    for (number, picture) in seen.all.enumerated() {
      #expect(picture.width == 160 && picture.height == 96 && picture.pixels.count == 160 * 96 * 4)
      #expect(picture.timestamp == frames[number].rtpTimestamp)
      #expect(picture.metadata == frames[number].metadata)
      let original = MovingPattern(width: 160, height: 96).frame(number)
      var error = 0
      for index in original.indices { error += abs(Int(original[index]) - Int(picture.pixels[index])) }
      #expect(error / original.count < 12)
      #expect(stride(from: 3, to: picture.pixels.count, by: 4).allSatisfy { picture.pixels[$0] == 255 })
    }
    #expect(pipeline.statistics.framesDecoded == 12 && pipeline.statistics.decodeErrors == 0)
    #expect(pipeline.pictureAllocations <= 3)
  }

  @Test func `without a handler nothing is decoded or kept`() throws {
    let frames = try Self.stream(.vp8, frames: 20)
    let threads = FrameThreads()
    let requests = Atomic<Int>(0)
    let pipeline = VideoReceivePipeline(threads: threads) { requests.add(1, ordering: .relaxed) }
    // Ten minutes of 30 frames a second.
    for number in 0..<18_000 { pipeline.submit(frames[number % 20]) }
    let statistics = pipeline.statistics
    #expect(statistics.framesSubmitted == 18_000 && statistics.framesUnwatched == 18_000)
    #expect(statistics.framesDecoded == 0 && pipeline.pictureAllocations == 0)
    let early = requests.load(ordering: .relaxed)
    #expect(early == 0)

    // Who begins to listen gets a keyframe asked for, and pictures from there on.
    let seen = Collector<Seen>()
    pipeline.setHandler(Self.handler(seen))
    let asked = requests.load(ordering: .relaxed)
    #expect(asked == 1)
    pipeline.submit(frames[3])
    pipeline.submit(frames[10])
    #expect(seen.wait(for: 1).first?.timestamp == frames[10].rtpTimestamp)
    #expect(pipeline.statistics.framesSkipped == 1)
    pipeline.close()
    threads.close()
  }

  @Test(arguments: VideoCodec.allCases)
  func `a broken frame asks for a keyframe and what depends on it is not shown`(_ codec: VideoCodec) throws {
    let frames = try Self.stream(codec, frames: 20)
    let threads = FrameThreads()
    let requests = Collector<Bool>()
    let pipeline = VideoReceivePipeline(threads: threads) { requests.add(true) }
    let seen = Collector<Seen>()
    pipeline.setHandler(Self.handler(seen))
    pipeline.submit(frames[0])
    _ = seen.wait(for: 1)
    var broken = frames[1]
    broken.data = Array(broken.data.prefix(3))
    pipeline.submit(broken)
    #expect(requests.wait(for: 1).count == 1)
    for number in 2..<10 { pipeline.submit(frames[number]) }
    pipeline.submit(frames[10])
    let all = seen.wait(for: 2)
    #expect(all.map(\.timestamp) == [frames[0].rtpTimestamp, frames[10].rtpTimestamp])
    let statistics = pipeline.statistics
    #expect(statistics.decodeErrors == 1 && statistics.framesSkipped == 8 && statistics.lastError != nil)
    pipeline.close()
    threads.close()
  }

  @Test func `a handler that blocks keeps only the newest frame waiting`() throws {
    let frames = try Self.stream(.vp8, frames: 30, keyframes: 100)
    let threads = FrameThreads()
    let pipeline = VideoReceivePipeline(threads: threads) {}
    let gate = Gate()
    let seen = Collector<UInt32>()
    pipeline.setHandler { frame in
      seen.add(frame.rtpTimestamp)
      gate.pass()
    }
    pipeline.submit(frames[0])
    _ = seen.wait(for: 1)
    for frame in frames[1...] {
      pipeline.submit(frame)
      // The queue before the decoder is bounded too: let the decoder follow.
      while pipeline.statistics.framesDecoded < Int(frame.metadata?.captureTimeUs ?? 0) {}
    }
    while pipeline.statistics.framesDecoded < 30 {}
    gate.open()
    #expect(seen.wait(for: 2) == [frames[0].rtpTimestamp, frames[29].rtpTimestamp])
    #expect(pipeline.statistics.framesReplaced == 28)
    #expect(pipeline.pictureAllocations <= 3)
    pipeline.close()
    threads.close()
  }

  @Test func `a codec change at a keyframe is followed`() throws {
    let threads = FrameThreads()
    let pipeline = VideoReceivePipeline(threads: threads) {}
    let seen = Collector<Seen>()
    pipeline.setHandler(Self.handler(seen))
    let first = try Self.stream(.vp8, frames: 2)
    let second = try Self.stream(.vp9, frames: 2, width: 64, height: 48)
    for (number, frame) in (first + second + first).enumerated() {
      pipeline.submit(frame)
      _ = seen.wait(for: number + 1)
    }
    #expect(seen.all.map(\.width) == [160, 160, 64, 64, 160, 160])
    pipeline.close()
    threads.close()
  }

  @Test func `no call begins after the handler was taken away or the pipeline closed`() throws {
    let frames = try Self.stream(.vp8, frames: 10)
    let threads = FrameThreads()
    for round in 0..<40 {
      let pipeline = VideoReceivePipeline(threads: threads) {}
      let calls = Atomic<Int>(0)
      let running = Atomic<Int>(0)
      pipeline.setHandler { _ in
        running.add(1, ordering: .sequentiallyConsistent)
        calls.add(1, ordering: .sequentiallyConsistent)
        running.subtract(1, ordering: .sequentiallyConsistent)
      }
      for frame in frames.prefix(1 + round % 10) { pipeline.submit(frame) }
      if round % 2 == 0 { pipeline.setHandler(nil) } else { pipeline.close() }
      // One call may have been running; none begins from here on.
      let before = calls.load(ordering: .sequentiallyConsistent)
      for frame in frames { pipeline.submit(frame) }
      pipeline.close()
      let after = calls.load(ordering: .sequentiallyConsistent)
      #expect(after <= before + 1)
    }
    threads.close()
  }

  @Test func `a queue that is full starts again at a keyframe`() {
    var queue = EncodedFrameQueue()
    let delta = EncodedVideoFrame(codec: .vp8, data: [1], isKeyframe: false, rtpTimestamp: 0)
    for _ in 0..<EncodedFrameQueue.limit {
      let isTaken = queue.append(delta)
      #expect(isTaken)
    }
    let isRefused = !queue.append(delta)
    #expect(isRefused)
    let removed = queue.removeAll()
    #expect(removed == EncodedFrameQueue.limit)
    let large = EncodedVideoFrame(
      codec: .vp8, data: [UInt8](repeating: 0, count: 9 << 20), isKeyframe: true, rtpTimestamp: 0)
    let fits = [queue.append(large), queue.append(large)]
    #expect(fits == [true, false])
    #expect(queue.bytes == 9 << 20 && queue.count == 1)
    let first = queue.popFirst()
    #expect(first != nil && queue.bytes == 0)
    let both = [queue.append(delta), queue.append(large)]
    let dropped = queue.dropToKeyframe()
    #expect(both == [true, true] && dropped == 1)
    #expect(queue.count == 1)
  }
}
