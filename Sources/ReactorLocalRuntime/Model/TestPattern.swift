/// A picture that shows at a glance whether it moves, and to a program which picture it is: colour bars that
/// slide, and a white box that bounces.
struct TestPattern {
  private static let bars: [(blue: UInt8, green: UInt8, red: UInt8)] = [
    (192, 192, 192), (0, 192, 192), (192, 192, 0), (0, 192, 0), (192, 0, 192), (0, 0, 192), (192, 0, 0),
  ]

  let width: Int
  let height: Int
  private var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = max(16, width)
    self.height = max(16, height)
    pixels = [UInt8](repeating: 255, count: self.width * self.height * 4)
  }

  /// The picture number `index`, BGRA.
  mutating func draw(_ index: Int, brightness: Double = 1) -> [UInt8] {
    let level = Int(max(0, min(1, brightness)) * 256)
    var row = [UInt8](repeating: 255, count: width * 4)
    for column in 0..<width {
      let bar = TestPattern.bars[
        ((column + index * 2) * TestPattern.bars.count / width) % TestPattern.bars.count]
      row[column * 4] = UInt8(Int(bar.blue) * level >> 8)
      row[column * 4 + 1] = UInt8(Int(bar.green) * level >> 8)
      row[column * 4 + 2] = UInt8(Int(bar.red) * level >> 8)
    }
    for line in 0..<height { pixels.replaceSubrange(line * width * 4..<(line + 1) * width * 4, with: row) }
    let box = max(8, height / 6)
    fill(x: bounce(index * 5, width - box), y: bounce(index * 3, height - box), size: box)
    return pixels
  }

  private func bounce(_ position: Int, _ range: Int) -> Int {
    guard range > 0 else { return 0 }
    let phase = position % (2 * range)
    return phase < range ? phase : 2 * range - phase
  }

  private mutating func fill(x: Int, y: Int, size: Int) {
    for line in y..<min(height, y + size) {
      for column in x..<min(width, x + size) {
        let at = (line * width + column) * 4
        pixels[at] = 235
        pixels[at + 1] = 235
        pixels[at + 2] = 235
      }
    }
  }

  /// Paints the lower right corner green: what has been through the model shows it.
  static func mark(_ pixels: inout [UInt8], width: Int, height: Int) {
    let size = min(24, width, height)
    guard size > 0, pixels.count >= width * height * 4 else { return }
    for line in height - size..<height {
      for column in width - size..<width {
        let at = (line * width + column) * 4
        pixels[at] = 0
        pixels[at + 1] = 200
        pixels[at + 2] = 0
      }
    }
  }
}
