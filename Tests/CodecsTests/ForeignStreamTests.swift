import Codecs
import RTP
import TestSupport
import Testing

/// Streams of other encoders' set-ups; sums of pictures by FFmpeg's own VP8 and VP9 decoders.
@Suite struct ForeignStreamTests {
  /// Adler-32 from 0, over the three planes without padding, as FFmpeg's framecrc prints it.
  static func sum(_ view: I420View) -> UInt32 {
    var a: UInt32 = 0
    var b: UInt32 = 0
    func add(_ plane: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int) {
      for row in 0..<height {
        for column in 0..<width {
          a = (a + UInt32(plane[row * stride + column])) % 65521
          b = (b + a) % 65521
        }
      }
    }
    add(view.y, view.yStride, view.width, view.height)
    add(view.u, view.uStride, view.chromaWidth, view.chromaHeight)
    add(view.v, view.vStride, view.chromaWidth, view.chromaHeight)
    return b << 16 | a
  }

  @Test(arguments: [
    ("gstreamer-vp8-partitions", VideoCodec.vp8), ("ffmpeg-vp8-altref", .vp8), ("gstreamer-vp9", .vp9),
    ("ffmpeg-vp9-altref", .vp9),
  ])
  func `pictures are those of another decoder, bit for bit`(_ name: String, _ codec: VideoCodec) throws {
    let frames = try ivfFrames("Codecs/\(name).ivf")
    let expected = try Fixture.text("Codecs/\(name).adler32").split(separator: "\n").map {
      UInt32($0.dropFirst(2), radix: 16)
    }
    #expect(frames.count >= expected.count && expected.count > 20)
    let decoder = try codec.makeDecoder(cores: 2)
    var sums: [UInt32] = []
    for frame in frames {
      try frame.withUnsafeBytes { data in
        if let view = try decoder.decode(data) { sums.append(Self.sum(view)) }
      }
    }
    #expect(sums == expected)
  }

  @Test func `a superframe's hidden picture is decoded and not shown`() throws {
    let frames = try ivfFrames("Codecs/ffmpeg-vp9-altref.ivf")
    let counts = frames.map { frame in frame.withUnsafeBytes { VP9Superframe.frames(in: $0).count } }
    #expect(counts.contains(2) && counts.contains(1))
  }

  @Test func `4-4-4 pictures are refused by name`() throws {
    let frames = try ivfFrames("Codecs/ffmpeg-vp9-profile1.ivf")
    let decoder = try VP9Decoder()
    #expect(throws: CodecError.unsupported("VP9 profile 1")) {
      try frames[0].withUnsafeBytes { _ = try decoder.decode($0) }
    }
  }

  @Test func `headers name kind and size`() throws {
    let vp8 = try ivfFrames("Codecs/gstreamer-vp8-partitions.ivf")
    let first = try vp8[0].withUnsafeBytes { try VP8FrameHeader($0) }
    #expect(first.isKeyframe && first.size?.width == 322 && first.size?.height == 182)
    #expect(try vp8[1].withUnsafeBytes { try VP8FrameHeader($0).isKeyframe } == false)
    let vp9 = try ivfFrames("Codecs/gstreamer-vp9.ivf")
    let header = try vp9[0].withUnsafeBytes { try VP9FrameHeader($0) }
    #expect(header.kind == .key && header.width == 321 && header.height == 181 && header.profile == 0)
    #expect(try vp9[1].withUnsafeBytes { try VP9FrameHeader($0).kind } == .inter)
  }
}
