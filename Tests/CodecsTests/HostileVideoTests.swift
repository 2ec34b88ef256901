import Codecs
import RTP
import TestSupport
import Testing
import WireFormat

@Suite struct HostileVideoTests {
  static let streams: [(VideoCodec, String)] = [
    (.vp8, "gstreamer-vp8-partitions"), (.vp8, "ffmpeg-vp8-altref"), (.vp9, "gstreamer-vp9"),
    (.vp9, "ffmpeg-vp9-altref"),
  ]

  static func decode(_ data: [UInt8], _ decoder: any VideoDecoder) throws -> Bool {
    try data.withUnsafeBytes { try decoder.decode($0) } != nil
  }

  @Test(arguments: VideoCodec.allCases)
  func `a delta frame before any keyframe asks for one`(_ codec: VideoCodec) throws {
    let name = codec == .vp8 ? "gstreamer-vp8-partitions" : "gstreamer-vp9"
    let frames = try ivfFrames("Codecs/\(name).ivf")
    let decoder = try codec.makeDecoder(cores: 1)
    #expect(throws: CodecError.needsKeyframe) { _ = try Self.decode(frames[3], decoder) }
    #expect(try Self.decode(frames[0], decoder))
    #expect(try Self.decode(frames[1], decoder))
  }

  @Test(arguments: VideoCodec.allCases)
  func `after a broken frame only a keyframe counts`(_ codec: VideoCodec) throws {
    let name = codec == .vp8 ? "gstreamer-vp8-partitions" : "gstreamer-vp9"
    let frames = try ivfFrames("Codecs/\(name).ivf")
    let decoder = try codec.makeDecoder(cores: 1)
    #expect(try Self.decode(frames[0], decoder))
    #expect(throws: CodecError.self) { _ = try Self.decode(Array(frames[1].prefix(4)), decoder) }
    #expect(throws: CodecError.needsKeyframe) { _ = try Self.decode(frames[2], decoder) }
    #expect(try Self.decode(frames[0], decoder))
    #expect(try Self.decode(frames[1], decoder))
  }

  @Test func `a VP8 keyframe that announces a huge picture is refused before it costs memory`() throws {
    var frame = try ivfFrames("Codecs/gstreamer-vp8-partitions.ivf")[0]
    frame[6] = 0xFF
    frame[7] = 0x3F
    frame[8] = 0xFF
    frame[9] = 0x3F
    let decoder = try VP8Decoder()
    #expect(throws: CodecError.pictureTooLarge(width: 16383, height: 16383)) {
      _ = try Self.decode(frame, decoder)
    }
  }

  @Test func `a VP9 keyframe that announces a huge picture is refused before it costs memory`() throws {
    // Marker 2, profile 0, key, shown; sync code; colour space 1, range 0; 65 536 × 65 536.
    let frame = hex("82 49 83 42 2F FF FF FF FF F0 00 00 00 00")
    let decoder = try VP9Decoder()
    let header = try frame.withUnsafeBytes { try VP9FrameHeader($0) }
    #expect(header.width == 65536 && header.height == 65536)
    #expect(throws: CodecError.pictureTooLarge(width: 65536, height: 65536)) {
      _ = try Self.decode(frame, decoder)
    }
    // The same, second in a superframe behind a good frame.
    let good = try ivfFrames("Codecs/gstreamer-vp9.ivf")[0]
    let marker: UInt8 = 0xC0 | 1 << 3 | 1
    let index: [UInt8] = [
      marker, UInt8(good.count & 255), UInt8(good.count >> 8), UInt8(frame.count), 0, marker,
    ]
    #expect(throws: CodecError.pictureTooLarge(width: 65536, height: 65536)) {
      _ = try Self.decode(good + frame + index, decoder)
    }
  }

  @Test(arguments: VideoCodec.allCases)
  func `nothing, one byte, and every prefix of a keyframe are errors`(_ codec: VideoCodec) throws {
    let name = codec == .vp8 ? "gstreamer-vp8-partitions" : "gstreamer-vp9"
    let frame = try ivfFrames("Codecs/\(name).ivf")[0]
    let decoder = try codec.makeDecoder(cores: 1)
    for length in 0..<min(12, frame.count) {
      #expect(throws: CodecError.self) { _ = try Self.decode(Array(frame.prefix(length)), decoder) }
    }
    for length in stride(from: 12, to: frame.count, by: 37) {
      _ = try? Self.decode(Array(frame.prefix(length)), decoder)
    }
    #expect(try Self.decode(frame, decoder))
  }

  @Test(arguments: streams)
  func `mutated streams are errors or pictures, and the next keyframe heals`(
    _ codec: VideoCodec, _ name: String
  ) throws {
    let frames = try ivfFrames("Codecs/\(name).ivf")
    for seed in 0..<12 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let decoder = try codec.makeDecoder(cores: 1 + Int(seed % 2))
      for frame in frames {
        var data = frame
        if random.unit() < 0.3 {
          switch random.next() % 4 {
          case 0: data.removeLast(Int(random.next() % UInt64(data.count)))
          case 1: for _ in 0..<3 { data[Int(random.next() % UInt64(data.count))] ^= 1 << (random.next() % 8) }
          case 2: data.append(contentsOf: random.bytes(7))
          default: for index in 0..<min(data.count, 16) where random.unit() < 0.2 { data[index] = 0xC9 }
          }
        }
        _ = try? Self.decode(data, decoder)
      }
      #expect(try Self.decode(frames[0], decoder), "seed \(seed)")
    }
  }

  @Test(arguments: VideoCodec.allCases)
  func `hundreds of broken frames do not use a decoder up`(_ codec: VideoCodec) throws {
    let name = codec == .vp8 ? "gstreamer-vp8-partitions" : "gstreamer-vp9"
    let frame = try ivfFrames("Codecs/\(name).ivf")[0]
    let decoder = try codec.makeDecoder(cores: 1)
    for length in stride(from: 12, to: frame.count, by: 11) {
      _ = try? Self.decode(Array(frame.prefix(length)), decoder)
    }
    #expect(try Self.decode(frame, decoder))
  }
}
