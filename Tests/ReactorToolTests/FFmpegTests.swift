import Foundation
import ReactorToolSupport
import TestSupport
import Testing

#if canImport(Glibc)
  /// What FFmpeg, the usual maker and reader of these files, makes of them.
  @Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg is not installed (apt package ffmpeg)"))
  struct FFmpegTests {
    @Test func `FFmpeg reads what is written, with its size, rate, and colours`() throws {
      let file = try ScratchFile(".y4m")
      defer { file.remove() }
      let writer = try Y4MWriter(path: file.path, framesPerSecond: 24)
      var pattern = StripePattern(width: 162, height: 91)
      for index in 0..<5 {
        pattern.draw(index * 9).withUnsafeBytes { writer.write($0, width: 162, height: 91) }
      }
      try writer.close()
      let facts = try FFmpeg.run(
        "ffprobe", "-v", "error", "-count_frames", "-show_entries",
        "stream=width,height,r_frame_rate,nb_read_frames,pix_fmt,color_range", "-of", "default=nw=1",
        file.path)
      let text = String(decoding: facts, as: UTF8.self)
      for fact in [
        "width=162", "height=91", "pix_fmt=yuv420p", "r_frame_rate=24/1", "nb_read_frames=5",
        "color_range=tv",
      ] {
        #expect(text.contains(fact), "\(text)")
      }
      let shown = try FFmpeg.run(
        "ffmpeg", "-v", "error", "-i", file.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "bgra", "-")
      #expect(distance(pattern.draw(0), shown).mean < 6)
    }

    @Test(arguments: [("yuvj420p", "pc"), ("yuv420p", "tv")])
    func `what FFmpeg writes is read with the same colours`(format: String, range: String) throws {
      let file = try ScratchFile(".y4m")
      defer { file.remove() }
      let source = "color=c=0x3060c0:s=66x38:r=30000/1001:d=0.1"
      _ = try FFmpeg.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-vf", "scale=out_range=\(range)", "-pix_fmt",
        format,
        "-strict", "-1", "-y", file.path)
      let reader = try Y4MReader(path: file.path)
      #expect((reader.header.width, reader.header.height) == (66, 38))
      #expect((reader.header.rateNumerator, reader.header.rateDenominator) == (30000, 1001))
      var count = 0
      while let picture = try reader.next() {
        count += 1
        let colour = pixels([0xC0, 0x60, 0x30, 255], width: 66, height: 38)
        #expect(distance(colour, picture.pixels).mean < 4, "\(picture.pixels.prefix(4)) \(reader.header)")
      }
      #expect(count == 3)
    }

    @Test(arguments: ["yuv422p", "yuv444p", "gray", "yuv420p10le"])
    func `other formats of FFmpeg are refused with a word on what to do`(format: String) throws {
      let file = try ScratchFile(".y4m")
      defer { file.remove() }
      _ = try FFmpeg.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=32x32:d=0.1", "-pix_fmt", format, "-strict",
        "-1", "-y",
        file.path)
      let error = #expect(throws: Y4MError.self) { try Y4MReader(path: file.path) }
      #expect(error?.description.contains("-pix_fmt yuv420p") == true)
    }
  }

  private enum FFmpeg {
    struct Failure: Error {
      let text: String
    }

    static var isInstalled: Bool {
      ["ffmpeg", "ffprobe"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
    }

    static func run(_ program: String, _ arguments: String...) throws -> [UInt8] {
      let (status, output) = try ChildProcess.run("/usr/bin/\(program)", arguments)
      guard status == 0 else { throw Failure(text: String(decoding: output, as: UTF8.self)) }
      return output
    }
  }
#endif
