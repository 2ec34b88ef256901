import Codecs
import Media
import RTP
import TestSupport
import Testing

@Suite struct QualityScalerTests {
  /// Runs `seconds` of 30 frames a second; returns the steps that came out.
  static func run(
    _ scaler: inout QualityScaler, quantizer: Double?, from start: Int64, seconds: Int64
  ) -> [Int] {
    var steps: [Int] = []
    for number in 0..<seconds * 30 {
      let now = start + number * 33_333
      if scaler.note(quantizer: quantizer, atUs: now, width: 1280, height: 720) { steps.append(scaler.step) }
    }
    return steps
  }

  @Test func `coarse frames shrink the picture step by step to its floor`() {
    var scaler = QualityScaler(isVP9: false)
    #expect(Self.run(&scaler, quantizer: 0.9, from: 0, seconds: 60) == [1, 2, 3, 4])
    #expect(QualityScaler.size(width: 1280, height: 720, step: 4) == (320, 180))
  }

  @Test func `frames left out count as the coarsest`() {
    var scaler = QualityScaler(isVP9: true)
    #expect(Self.run(&scaler, quantizer: nil, from: 0, seconds: 3) == [1])
  }

  @Test func `middling frames change nothing in either direction`() {
    var scaler = QualityScaler(isVP9: false)
    _ = Self.run(&scaler, quantizer: 0.9, from: 0, seconds: 3)
    #expect(Self.run(&scaler, quantizer: 0.5, from: 10_000_000, seconds: 120) == [])
    #expect(scaler.step == 1)
  }

  @Test func `fine frames let it grow, more and more slowly when that turns out wrong`() {
    var scaler = QualityScaler(isVP9: false)
    var now: Int64 = 0
    _ = Self.run(&scaler, quantizer: 0.9, from: now, seconds: 3)
    var waits: [Int64] = []
    for _ in 0..<4 {
      now += 3_000_000
      let start = now
      while scaler.step == 1 {
        _ = scaler.note(quantizer: 0.1, atUs: now, width: 1280, height: 720)
        now += 33_333
      }
      waits.append((now - start) / 1_000_000)
      _ = Self.run(&scaler, quantizer: 0.9, from: now, seconds: 3)
    }
    #expect(waits == waits.sorted() && waits[0] <= 8 && waits[3] >= 40, "\(waits)")
  }

  @Test func `a start bitrate far below the size starts small`() {
    var scaler = QualityScaler(isVP9: false)
    scaler.start(width: 1920, height: 1080, bitrateBPS: 200_000, framesPerSecond: 30)
    #expect(scaler.step == 2)
    scaler.start(width: 1920, height: 1080, bitrateBPS: 2_500_000, framesPerSecond: 30)
    #expect(scaler.step == 0)
    scaler.start(width: 120, height: 90, bitrateBPS: 1, framesPerSecond: 30)
    #expect(scaler.step == 0)
  }

  @Test(arguments: VideoCodec.allCases)
  func `720p at a hundred kilobits becomes small and stays within its rate`(_ codec: VideoCodec) throws {
    let stage = VideoEncodingStage(codec: codec, configuration: VideoSendConfiguration())
    let pattern = MovingPattern(width: 1280, height: 720)
    let pool = PicturePool<I420Buffer>()
    var sizes: [Int] = []
    var bytes = 0
    for number in 0..<120 {
      let picture = try pool.take(width: 1280, height: 720)
      try pattern.frame(number).withUnsafeBytes {
        try PixelConverter.convert(bgra: $0, stride: 1280 * 4, into: picture)
      }
      var storage: [UInt8] = []
      let frame = try stage.encode(
        PushedVideoFrame(picture: picture, captureTimeUs: Int64(number) * 33_333), keyframe: false,
        bitrateBPS: 100_000, storage: &storage)
      pool.give(picture)
      guard let frame else { continue }
      sizes.append(frame.width)
      if number >= 30 { bytes += frame.data.count }
    }
    #expect(sizes.last.map { $0 <= 640 } == true)
    #expect(Double(bytes) * 8 / 3 < 150_000)
  }
}
