import Foundation
import ReactorToolSupport
import Testing

struct OutputTests {
  @Test func `a PNG has its signature and size and decodes to the same pixels`() throws {
    var pattern = StripePattern(width: 50, height: 34)
    let pixels = pattern.draw(9)
    let path = FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString).png").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try PNGImage.write(pixels, width: 50, height: 34, to: path)
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(file[16..<24] == [0, 0, 0, 50, 0, 0, 0, 34])
    let back = try PNGImage.read(path)
    #expect((back.width, back.height) == (50, 34))
    #expect(back.pixels == pixels)
  }

  @Test func `what is no picture or has no place is refused`() {
    #expect(throws: PNGImage.FileError.self) {
      try PNGImage.write([1, 2, 3], width: 1, height: 1, to: "/tmp/reactor-never.png")
    }
    #expect(throws: PNGImage.FileError.self) {
      try PNGImage.write([1, 2, 3, 4], width: 1, height: 1, to: "/nonexistent/reactor.png")
    }
    #expect(throws: PNGImage.FileError.self) { try PNGImage.read("/nonexistent/reactor.png") }
  }

  @Test func `the preview keeps the shape and shows two pixels a cell`() {
    // Upper half red, lower half blue.
    var pixels: [UInt8] = []
    for row in 0..<8 {
      for _ in 0..<8 { pixels += row < 4 ? [0, 0, 255, 255] : [255, 0, 0, 255] }
    }
    let lines = TerminalPreview.lines(pixels, width: 8, height: 8, columns: 2, rows: 40)
    let cell = "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;0;255m\u{2580}"
    #expect(lines == [cell + cell + "\u{1B}[0m"])
    #expect(TerminalPreview.lines(pixels, width: 8, height: 8, columns: 100, rows: 2).count == 2)
    #expect(TerminalPreview.lines([], width: 8, height: 8, columns: 2, rows: 2).isEmpty)
  }

  @Test func `the pattern moves, keeps its size and has no green of the mark`() {
    var pattern = StripePattern(width: 64, height: 48)
    let pictures = (0..<40).map { pattern.draw($0 * 7) }
    #expect(Set(pictures).count == 40)
    for picture in pictures {
      #expect(picture.count == 64 * 48 * 4)
      for offset in stride(from: 0, to: picture.count, by: 4) {
        let isMark = picture[offset] < 90 && picture[offset + 1] > 140 && picture[offset + 2] < 90
        #expect(!isMark)
      }
    }
  }

  @Test func `figures fit a line`() {
    #expect(Figures.bitrate(1_234_000) == "1.2 Mb/s")
    #expect(Figures.bitrate(640_900) == "640 kb/s")
    #expect(Figures.bitrate(nil) == "-" && Figures.bitrate(.nan) == "-")
    #expect(Figures.milliseconds(12.34) == "12.3 ms")
    #expect(Figures.decimal(-0.55) == "-0.6" || Figures.decimal(-0.55) == "-0.5")
  }
}
