import Codecs
import RTP
import Testing
import TestSupport
import WireFormat

@Suite struct PixelConverterTests {
  /// Fills BGRA of one colour.
  static func flat(_ b: UInt8, _ g: UInt8, _ r: UInt8, width: Int, height: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    for _ in 0..<width * height { bytes += [b, g, r, 17] }
    return bytes
  }

  static func roundTrip(_ pixels: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    let picture = try I420Buffer(width: width, height: height)
    try pixels.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: width * 4, into: picture) }
    let output = try BGRABuffer(width: width, height: height)
    try picture.withView { try PixelConverter.convert($0, intoBGRA: output.bytes, stride: output.stride) }
    return [UInt8](output.bytes)
  }

  @Test(arguments: [
    // Red, green, blue, then Y, U, V of BT.601 limited range.
    (255, 0, 0, 82, 90, 240), (0, 255, 0, 145, 54, 34), (0, 0, 255, 41, 240, 110),
    (255, 255, 255, 235, 128, 128), (0, 0, 0, 16, 128, 128), (128, 128, 128, 126, 128, 128),
  ])
  func `known colours become the samples of BT 601 limited range`(
    _ colour: (Int, Int, Int, Int, Int, Int)
  ) throws {
    let (r, g, b, y, u, v) = colour
    let pixels = Self.flat(UInt8(b), UInt8(g), UInt8(r), width: 32, height: 16)
    let picture = try I420Buffer(width: 32, height: 16)
    try pixels.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: 128, into: picture) }
    #expect(abs(Int(picture.y[20]) - y) <= 1)
    #expect(abs(Int(picture.u[5]) - u) <= 1)
    #expect(abs(Int(picture.v[5]) - v) <= 1)
  }

  // Red 40, green 160, blue 90 as each matrix and range writes it.
  @Test(arguments: [
    (I420View.Colours.Matrix.bt601, false, 116, 115, 80), (.bt601, true, 116, 113, 74),
    (.bt709, false, 127, 109, 78), (.bt709, true, 129, 107, 71), (.bt2020, false, 123, 112, 78),
    (.bt2020, true, 124, 110, 71),
  ])
  func `samples become colours by their matrix and range`(
    _ matrix: I420View.Colours.Matrix, isFullRange: Bool, y: Int, u: Int, v: Int
  ) throws {
    let picture = try I420Buffer(width: 16, height: 8)
    for position in 0..<picture.yStride * 8 { picture.y[position] = UInt8(y) }
    for position in 0..<picture.chromaStride * 4 {
      picture.u[position] = UInt8(u)
      picture.v[position] = UInt8(v)
    }
    let output = try BGRABuffer(width: 16, height: 8)
    try picture.withView { view in
      var view = view
      view.colours = I420View.Colours(matrix: matrix, isFullRange: isFullRange)
      try PixelConverter.convert(view, intoBGRA: output.bytes, stride: output.stride)
    }
    let (blue, green, red) = (Int(output.bytes[0]), Int(output.bytes[1]), Int(output.bytes[2]))
    #expect(abs(red - 40) <= 3 && abs(green - 160) <= 3 && abs(blue - 90) <= 3, "\(red) \(green) \(blue)")
  }

  @Test func `what the sender says of colours goes before the bitstream, as far as it says something`() {
    let limited = I420View.Colours.bt601Limited
    let full709 = I420View.Colours(matrix: .bt709, isFullRange: true)
    #expect(limited.corrected(by: VideoColourSpace(rawValue: 0x0101_0125)) == full709)
    #expect(full709.corrected(by: VideoColourSpace(rawValue: 0x0606_0610)) == limited)
    #expect(full709.corrected(by: VideoColourSpace(rawValue: 0x0202_0200)) == full709)
  }

  @Test func `flat colours come back within two of 255 in the mean, four at worst`() throws {
    var random = RandomSource(seed: 1)
    var sums = [0, 0, 0]
    for _ in 0..<200 {
      let colour = random.bytes(3)
      let back = try Self.roundTrip(
        Self.flat(colour[0], colour[1], colour[2], width: 16, height: 8), width: 16, height: 8)
      for channel in 0..<3 {
        let worst = (0..<16 * 8).map { abs(Int(back[$0 * 4 + channel]) - Int(colour[channel])) }.max() ?? 0
        sums[channel] += worst
        #expect(worst <= 4, "\(colour) gives \(back.prefix(4))")
      }
      #expect(back[3] == 255)
    }
    #expect(sums.allSatisfy { $0 <= 2 * 200 }, "\(sums)")
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 2), (3, 5), (17, 33), (641, 361), (15, 1)])
  func `odd sizes convert to the last row and column`(_ size: (Int, Int)) throws {
    let (width, height) = size
    let back = try Self.roundTrip(
      Self.flat(30, 200, 100, width: width, height: height), width: width, height: height)
    #expect(back.count == width * height * 4)
    for pixel in 0..<width * height {
      #expect(abs(Int(back[pixel * 4]) - 30) <= 3 && abs(Int(back[pixel * 4 + 1]) - 200) <= 3)
      #expect(back[pixel * 4 + 3] == 255)
    }
  }

  @Test func `rows are found by their stride`() throws {
    let width = 6
    var padded: [UInt8] = []
    for row in 0..<4 {
      padded += Self.flat(0, 0, UInt8(60 * row), width: width, height: 1) + [UInt8](repeating: 255, count: 40)
    }
    let picture = try I420Buffer(width: width, height: 4)
    try padded.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: width * 4 + 40, into: picture) }
    let lumas = (0..<4).map { Int(picture.y[$0 * picture.yStride + 3]) }
    #expect(lumas == lumas.sorted() && lumas[0] == 16 && abs(lumas[3] - 62) <= 1)
  }

  @Test func `a buffer that is too short is an error`() throws {
    let picture = try I420Buffer(width: 16, height: 16)
    let short = [UInt8](repeating: 0, count: 16 * 16 * 4 - 1)
    #expect(throws: CodecError.self) {
      try short.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: 64, into: picture) }
    }
    var room = [UInt8](repeating: 0, count: 16 * 16 * 4 - 1)
    #expect(throws: CodecError.self) {
      try room.withUnsafeMutableBytes { room in
        try picture.withView { try PixelConverter.convert($0, intoBGRA: room, stride: 64) }
      }
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 4), (8193, 1), (1, 8193), (8192, 8192), (Int.max, Int.max)])
  func `sizes outside the limit are refused before memory is taken`(_ size: (Int, Int)) {
    #expect(throws: CodecError.pictureTooLarge(width: size.0, height: size.1)) {
      _ = try I420Buffer(width: size.0, height: size.1)
    }
  }

  @Test func `scaling keeps a flat colour and a gradient's order`() throws {
    let source = try I420Buffer(width: 128, height: 64)
    for row in 0..<64 { for column in 0..<128 { source.y[row * source.yStride + column] = UInt8(column) } }
    for index in 0..<32 * source.chromaStride {
      source.u[index] = 90
      source.v[index] = 160
    }
    let target = try I420Buffer(width: 48, height: 24)
    try source.withView { try PixelConverter.scale($0, into: target) }
    let row = (0..<48).map { Int(target.y[5 * target.yStride + $0]) }
    #expect(row == row.sorted() && row[0] < 4 && row[47] > 122)
    #expect(abs(Int(target.u[3]) - 90) <= 1 && abs(Int(target.v[3]) - 160) <= 1)
  }
}
