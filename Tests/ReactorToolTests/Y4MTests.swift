import Foundation
import ReactorToolSupport
import Testing

struct Y4MTests {
  private func header(_ text: String) throws -> Y4MHeader { try Y4MHeader(parsing: Array(text.utf8)) }

  /// A file with a header and pictures whose planes are filled with one value each.
  private func file(
    _ header: String, width: Int, height: Int, pictures: [(y: UInt8, u: UInt8, v: UInt8)]
  ) -> [UInt8] {
    let chroma = ((width + 1) / 2) * ((height + 1) / 2)
    var bytes = Array((header + "\n").utf8)
    for picture in pictures {
      bytes += Array("FRAME\n".utf8) + [UInt8](repeating: picture.y, count: width * height)
      bytes += [UInt8](repeating: picture.u, count: chroma) + [UInt8](repeating: picture.v, count: chroma)
    }
    return bytes
  }

  @Test func `a header's fields are read in any order, with defaults for those left out`() throws {
    let whole = try header(
      "YUV4MPEG2 W1920 F30000:1001 Ip H1080 A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=FULL")
    #expect((whole.width, whole.height) == (1920, 1080))
    #expect((whole.rateNumerator, whole.rateDenominator) == (30000, 1001))
    #expect(whole.chroma == "420mpeg2" && whole.isFullRange)
    let short = try header("YUV4MPEG2 W3 H5")
    #expect((short.rateNumerator, short.rateDenominator) == (25, 1))
    #expect(short.chroma == "420jpeg" && !short.isFullRange)
    #expect(short.frameSize == 15 + 2 * 6)
    #expect(try header("YUV4MPEG2 W3 H5 F0:0").framesPerSecond == 25)
    #expect(try header("YUV4MPEG2 W2 H2 I? C420paldv Q9").chroma == "420paldv")
  }

  @Test func `a written header reads back the same`() throws {
    let header = try Y4MHeader(
      width: 641, height: 3, rateNumerator: 24000, rateDenominator: 1001, isFullRange: true)
    #expect(try self.header(String(header.line.dropLast())) == header)
  }

  @Test(
    arguments: [
      ("", Y4MError.notY4M), ("YUV4MPEG", .notY4M), ("YUV4MPEG3 W2 H2", .notY4M), ("RIFF W2 H2", .notY4M),
      ("YUV4MPEG2", .missing(field: "width")), ("YUV4MPEG2 W2", .missing(field: "height")),
      ("YUV4MPEG2 W H2", .malformed(field: "W")), ("YUV4MPEG2 W-2 H2", .malformed(field: "W-2")),
      ("YUV4MPEG2 W99999999999999999999 H2", .malformed(field: "W99999999999999999999")),
      ("YUV4MPEG2 W2x H2", .malformed(field: "W2x")),
      ("YUV4MPEG2 W0 H2", .pictureTooLarge(width: 0, height: 2)),
      ("YUV4MPEG2 W9999999999 H9999999999", .pictureTooLarge(width: 9_999_999_999, height: 9_999_999_999)),
      ("YUV4MPEG2 W8192 H8192", .pictureTooLarge(width: 8192, height: 8192)),
      ("YUV4MPEG2 W2 H2 F25", .malformed(field: "F25")),
      ("YUV4MPEG2 W2 H2 F1:2:3", .malformed(field: "F1:2:3")),
      ("YUV4MPEG2 W2 H2 F25:0", .unsupportedRate("25:0")),
      ("YUV4MPEG2 W2 H2 F9999999999:9999999999", .unsupportedRate("9999999999:9999999999")),
      ("YUV4MPEG2 W2 H2 F2000:1", .unsupportedRate("2000:1")),
      ("YUV4MPEG2 W2 H2 F1:9000", .unsupportedRate("1:9000")),
      ("YUV4MPEG2 W2 H2 It", .interlaced), ("YUV4MPEG2 W2 H2 C422", .unsupportedChroma("422")),
      ("YUV4MPEG2 W2 H2 C420p10", .unsupportedChroma("420p10")),
      ("YUV4MPEG2 W2 H2 Cmono", .unsupportedChroma("mono")),
    ] as [(String, Y4MError)])
  func `a header that cannot be meant is refused with its reason`(text: String, reason: Y4MError) {
    #expect(throws: reason) { try header(text) }
  }

  @Test func `any bytes are a header or an error`() {
    // A header with each byte in turn replaced by each of a few values, and cut at each length.
    let whole = Array("YUV4MPEG2 W16 H16 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED".utf8)
    var read = 0
    for index in whole.indices {
      for value: UInt8 in [0, 0x20, 0x2D, 0x30, 0x39, 0x3A, 0x7F, 0x80, 0xC3, 0xFF] {
        var changed = whole
        changed[index] = value
        if (try? Y4MHeader(parsing: changed)) != nil { read += 1 }
      }
      if (try? Y4MHeader(parsing: Array(whole[..<index]))) != nil { read += 1 }
    }
    #expect(read > 0 && read < whole.count * 11)
    #expect(throws: Y4MError.headerTooLong(limit: Y4MHeader.lengthLimit)) {
      try Y4MHeader(parsing: [UInt8](repeating: 0x41, count: 1 << 20))
    }
  }

  @Test(arguments: [(16, 16), (5, 3), (1, 1), (2, 7)])
  func `pictures of any size are read as BGRA`(width: Int, height: Int) throws {
    let content = file(
      "YUV4MPEG2 W\(width) H\(height) F50:1", width: width, height: height,
      pictures: [(16, 128, 128), (235, 128, 128), (81, 90, 240)])
    let file = try ScratchFile(".y4m", content)
    defer { file.remove() }
    let reader = try Y4MReader(path: file.path)
    #expect(reader.framesPerSecond == 50)
    for colour: [UInt8] in [[0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 255, 255]] {
      let picture = try #require(try reader.next())
      #expect((picture.width, picture.height) == (width, height))
      #expect(picture.pixels.count == width * height * 4)
      let expected = pixels(colour, width: width, height: height)
      #expect(distance(picture.pixels, expected).greatest <= 2)
    }
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }

  @Test func `full range is read as such`() throws {
    let content = file(
      "YUV4MPEG2 W4 H4 XCOLORRANGE=FULL", width: 4, height: 4, pictures: [(0, 128, 128), (255, 128, 128)])
    let readerFile = try ScratchFile(".y4m", content)
    defer { readerFile.remove() }
    let reader = try Y4MReader(path: readerFile.path)
    #expect(try reader.next()?.pixels.prefix(4) == [0, 0, 0, 255])
    #expect(try reader.next()?.pixels.prefix(4) == [255, 255, 255, 255])
  }

  @Test func `a file that is cut or goes wrong says at which picture`() throws {
    let content = file("YUV4MPEG2 W4 H4", width: 4, height: 4, pictures: [(16, 128, 128), (16, 128, 128)])
    let cutFile = try ScratchFile(".y4m", Array(content.dropLast()))
    defer { cutFile.remove() }
    let cut = try Y4MReader(path: cutFile.path)
    #expect(try cut.next() != nil)
    #expect(throws: Y4MError.truncated(index: 1)) { try cut.next() }
    let noiseFile = try ScratchFile(".y4m", content + Array("FRAMES\n".utf8))
    defer { noiseFile.remove() }
    let noise = try Y4MReader(path: noiseFile.path)
    #expect(try noise.next() != nil)
    #expect(try noise.next() != nil)
    #expect(throws: Y4MError.noFrame(index: 2)) { try noise.next() }
    let endlessFile = try ScratchFile(".y4m", content + [UInt8](repeating: 0x41, count: 5000))
    defer { endlessFile.remove() }
    let endless = try Y4MReader(path: endlessFile.path)
    _ = try endless.next()
    _ = try endless.next()
    #expect(throws: Y4MError.headerTooLong(limit: Y4MHeader.lengthLimit)) { try endless.next() }
    let noFile = #expect(throws: Y4MError.self) { try Y4MReader(path: "/nonexistent/reactor.y4m") }
    #expect(noFile?.description.hasPrefix("it cannot be opened") == true)
    let empty = try ScratchFile(".y4m", [])
    defer { empty.remove() }
    #expect(throws: Y4MError.notY4M) { try Y4MReader(path: empty.path) }
  }

  @Test func `a frame's own parameters are skipped`() throws {
    var content = Array("YUV4MPEG2 W2 H2\nFRAME Ip XQ=1\n".utf8)
    content += [235, 235, 235, 235, 128, 128]
    let readerFile = try ScratchFile(".y4m", content)
    defer { readerFile.remove() }
    let reader = try Y4MReader(path: readerFile.path)
    #expect(try reader.next()?.pixels.prefix(4) == [255, 255, 255, 255])
  }

  @Test(arguments: [(64, 48), (33, 17)])
  func `what was written reads back with the same colours`(width: Int, height: Int) throws {
    let file = try ScratchFile(".y4m")
    defer { file.remove() }
    let writer = try Y4MWriter(path: file.path, framesPerSecond: 29.97)
    let colours: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [30, 60, 200, 255]]
    for colour in colours {
      let picture = pixels(colour, width: width, height: height)
      picture.withUnsafeBytes { writer.write($0, width: width, height: height) }
    }
    try writer.close()
    #expect(writer.count == 3)
    let reader = try Y4MReader(path: file.path)
    #expect((reader.header.rateNumerator, reader.header.rateDenominator) == (29970, 1000))
    for colour in colours {
      let picture = try #require(try reader.next())
      let first = [UInt8](picture.pixels.prefix(4))
      #expect(distance(first, colour).greatest <= 4)
    }
    #expect(try reader.next() == nil)
  }

  @Test func `a picture of another size is scaled to that of the file`() throws {
    let file = try ScratchFile(".y4m")
    defer { file.remove() }
    let writer = try Y4MWriter(path: file.path)
    for (width, height) in [(32, 16), (16, 8), (64, 64)] {
      let grey = [UInt8](repeating: 126, count: width * height * 4)
      grey.withUnsafeBytes { writer.write($0, width: width, height: height) }
    }
    try writer.close()
    let reader = try Y4MReader(path: file.path)
    for _ in 0..<3 {
      let picture = try #require(try reader.next())
      #expect((picture.width, picture.height) == (32, 16))
      #expect(abs(Int(picture.pixels[0]) - 126) <= 2)
    }
  }

  @Test func `a file that cannot be written says so`() throws {
    #expect(throws: Y4MError.self) { try Y4MWriter(path: "/nonexistent/reactor.y4m") }
    #expect(throws: Y4MError.unsupportedRate("0.0")) { try Y4MWriter(path: "/dev/null", framesPerSecond: 0) }
    let wrong = try Y4MWriter(path: "/dev/null")
    [UInt8](repeating: 0, count: 8).withUnsafeBytes { wrong.write($0, width: 100, height: 100) }
    #expect(wrong.count == 0)
    #expect(throws: Y4MError.self) { try wrong.close() }
  }

  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full")))
  func `a full disk is told at the end`() throws {
    let writer = try Y4MWriter(path: "/dev/full")
    let black = [UInt8](repeating: 0, count: 320 * 180 * 4)
    for _ in 0..<3 { black.withUnsafeBytes { writer.write($0, width: 320, height: 180) } }
    #expect(throws: Y4MError.self) { try writer.close() }
  }
}
