import Codecs
import Media
import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct VideoSendPipelineTests {
  static let pattern = MovingPattern(width: 320, height: 180)

  static func push(
    _ pipeline: VideoSendPipeline, _ number: Int, userData: [UInt8]? = nil, captureTimeUs: Int64? = nil
  ) throws {
    try Self.pattern.frame(number).withUnsafeBytes {
      try pipeline.push(
        bgra: $0, width: 320, height: 180, userData: userData, captureTimeUs: captureTimeUs)
    }
  }

  @Test(arguments: VideoCodec.allCases)
  func `pushed frames come out in order with their capture times and tags`(_ codec: VideoCodec) throws {
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: codec, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frames.add($0) }
    for number in 0..<10 {
      try Self.push(
        pipeline, number, userData: number % 2 == 0 ? [UInt8(number)] : nil,
        captureTimeUs: 5_000_000_000_001 + Int64(number) * 33_333)
      _ = frames.wait(for: number + 1)
    }
    pipeline.close()
    let all = frames.all
    #expect(all.count == 10)
    for (number, frame) in all.enumerated() {
      #expect(frame.codec == codec && frame.isKeyframe == (number == 0))
      #expect(frame.width == 320 && frame.height == 180)
      let time = UInt64(5_000_000_000_001 + number * 33_333)
      #expect(frame.metadata?.captureTimeUs == time)
      #expect(frame.metadata?.frameID == UInt64(number + 1))
      #expect(frame.metadata?.userData == (number % 2 == 0 ? [UInt8(number)] : nil))
      #expect(frame.rtpTimestamp == UInt32(truncatingIfNeeded: time * 9 / 100))
    }
  }

  @Test func `a frame without tag and time carries no metadata and is not counted`() throws {
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: .vp8, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frames.add($0) }
    try Self.push(pipeline, 0)
    _ = frames.wait(for: 1)
    try Self.push(pipeline, 1, userData: [])
    let all = frames.wait(for: 2)
    #expect(all.first?.metadata == nil)
    #expect(all.last?.metadata?.frameID == 1 && all.last?.metadata?.userData == [])
    #expect(all.last?.metadata.map { $0.captureTimeUs > 0 } == true)
  }

  @Test func `the memory of a bitstream given back carries the next one`() throws {
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: .vp8, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frames.add($0) }
    var memory = [UInt8](unsafeUninitializedCapacity: 1 << 20) { _, count in count = 1 }
    let address = memory.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    pipeline.recycle(consume memory)
    try Self.push(pipeline, 0)
    let frame = try #require(frames.wait(for: 1).first)
    #expect(frame.data.count > 1)
    #expect(frame.data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
  }

  @Test func `the newest frame wins while the encoder is busy`() throws {
    let gate = Gate()
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: .vp8, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frame in
      frames.add(frame)
      if frames.all.count == 1 { gate.pass() }
    }
    try Self.push(pipeline, 0, captureTimeUs: 0)
    _ = frames.wait(for: 1)
    for number in 1...50 { try Self.push(pipeline, number, captureTimeUs: Int64(number) * 10_000) }
    gate.open()
    let all = frames.wait(for: 2)
    pipeline.close()
    #expect(all.map { $0.metadata?.captureTimeUs } == [0, 500_000])
    let statistics = pipeline.statistics
    #expect(statistics.framesPushed == 51 && statistics.framesReplaced == 49)
    #expect(statistics.framesEncoded == 2 && statistics.keyframesEncoded == 1)
    #expect(pipeline.pictureAllocations <= 3)
  }

  @Test func `a keyframe request makes the next frame one`() throws {
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: .vp9, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frames.add($0) }
    for number in 0..<6 {
      if number == 3 {
        pipeline.requestKeyframe()
        pipeline.requestKeyframe()
      }
      try Self.push(pipeline, number, captureTimeUs: Int64(number) * 33_333)
      _ = frames.wait(for: number + 1)
    }
    #expect(frames.all.map(\.isKeyframe) == [true, false, false, true, false, false])
  }

  @Test func `a buffer of the wrong length names both numbers`() throws {
    let pipeline = VideoSendPipeline(codec: .vp8, configuration: VideoSendConfiguration()) { _ in }
    let bytes = [UInt8](repeating: 0, count: 100)
    for (width, height, length) in [(5, 5, 96), (5, 5, 100 + 0), (10, 5, 100), (6, 5, 100)]
    where width * height * 4 != length {
      let error = #expect(throws: MediaError.self) {
        try bytes.prefix(length).withUnsafeBytes { try pipeline.push(bgra: $0, width: width, height: height) }
      }
      #expect(error == .wrongLength(expected: width * height * 4, actual: length))
    }
    for (width, height) in [(0, 5), (-1, -1), (Int.max, Int.max), (8193, 1), (1, 0)] {
      #expect(throws: MediaError.unsupported("a picture of \(width)x\(height)")) {
        try bytes.withUnsafeBytes { try pipeline.push(bgra: $0, width: width, height: height) }
      }
    }
    pipeline.close()
    #expect(throws: MediaError.closed) {
      try bytes.withUnsafeBytes { try pipeline.push(bgra: $0, width: 5, height: 5) }
    }
  }

  @Test(arguments: VideoCodec.allCases)
  func `every size change gives a keyframe that decodes to that size`(_ codec: VideoCodec) throws {
    var random = RandomSource(seed: 3)
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: codec,
      configuration: VideoSendConfiguration(dropsFrames: false, adaptsResolution: false)
    ) { frames.add($0) }
    let decoder = try codec.makeDecoder(cores: 2)
    var last = (0, 0)
    for number in 0..<30 {
      let size =
        number % 3 == 1 ? last : (1 + Int(random.uint16() % 500), 1 + Int(random.uint16() % 400))
      let pixels = [UInt8](repeating: UInt8(number), count: size.0 * size.1 * 4)
      try pixels.withUnsafeBytes {
        try pipeline.push(
          bgra: $0, width: size.0, height: size.1, captureTimeUs: Int64(number) * 33_333)
      }
      let all = frames.wait(for: number + 1)
      try #require(all.count == number + 1, "\(pipeline.statistics.lastError ?? "")")
      let frame = all[number]
      #expect(frame.isKeyframe == (size != last))
      try frame.data.withUnsafeBytes { data in
        let view = try #require(try decoder.decode(data))
        #expect((view.width, view.height) == size)
      }
      last = size
    }
  }

  @Test func `arrays that come back are used again, also when they are still looked at`() throws {
    let frames = Collector<EncodedVideoFrame>()
    let pipeline = VideoSendPipeline(
      codec: .vp8, configuration: VideoSendConfiguration(dropsFrames: false)
    ) { frames.add($0) }
    for number in 0..<5 {
      try Self.push(pipeline, number, captureTimeUs: Int64(number) * 33_333)
      let frame = frames.wait(for: number + 1)[number]
      let copy = frame.data
      pipeline.recycle(frame.data)
      #expect(frame.data == copy && !copy.isEmpty)
    }
  }

  @Test func `close from the encoder's own callback returns`() throws {
    let done = Collector<Bool>()
    let holder = Collector<VideoSendPipeline>()
    let pipeline = VideoSendPipeline(codec: .vp8, configuration: VideoSendConfiguration()) { _ in
      holder.wait(for: 1).first?.close()
      done.add(true)
    }
    holder.add(pipeline)
    try Self.push(pipeline, 0)
    #expect(done.wait(for: 1).count == 1)
    pipeline.close()
  }
}
