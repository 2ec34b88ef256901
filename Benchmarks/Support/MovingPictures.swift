import Codecs

/// Thirty pictures of a drifting texture, BGRA.
struct MovingPictures {
  let width: Int
  let height: Int
  private let frames: [[UInt8]]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    frames = (0..<30).map { Self.frame($0, width, height) }
  }

  subscript(number: Int) -> [UInt8] { frames[number % frames.count] }

  func converted() throws -> [I420Buffer] {
    try frames.map { frame in
      let picture = try I420Buffer(width: width, height: height)
      try frame.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: width * 4, into: picture) }
      return picture
    }
  }

  private static func frame(_ number: Int, _ width: Int, _ height: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 255, count: width * height * 4)
    // There and back, so that thirty pictures make an endless film.
    let shift = number < 15 ? number * 4 : (30 - number) * 4
    bytes.withUnsafeMutableBytes { bytes in
      for row in 0..<height {
        for column in 0..<width {
          let offset = (row &* width &+ column) &* 4
          let x = column &+ shift
          // Soft slopes with a few edges, as in a drawn or filmed scene.
          let wave = (x &* 3 &+ row &* 2) & 511
          let slope = wave < 256 ? wave : 511 &- wave
          let isTile = (x >> 6) & 3 == 0 && (row >> 6) & 3 == 1
          bytes[offset] = UInt8(truncatingIfNeeded: isTile ? 40 : 30 &+ slope / 2)
          bytes[offset &+ 1] = UInt8(truncatingIfNeeded: 40 &+ (x &* 170 / (width &+ 60)))
          bytes[offset &+ 2] = UInt8(truncatingIfNeeded: isTile ? 210 : 20 &+ (row &* 200 / height))
        }
      }
    }
    return bytes
  }
}
