/// A picture to push: slanting stripes that travel, and a white box that bounces. It has no green, which is the
/// colour of the mark that the echo model leaves.
package struct StripePattern {
  private static let period = 128

  package let width: Int
  package let height: Int
  private var pixels: [UInt8]
  /// One row and a period more, of which every row is a cut.
  private let stripes: [UInt8]

  /// Sizes below 16 × 16 are raised to that.
  package init(width: Int, height: Int) {
    self.width = max(16, width)
    self.height = max(16, height)
    pixels = [UInt8](repeating: 255, count: self.width * self.height * 4)
    var stripes: [UInt8] = []
    for column in 0..<self.width + StripePattern.period {
      let phase = column % StripePattern.period
      let ramp = UInt8(phase < 64 ? phase * 4 : (127 - phase) * 4)
      stripes += [255 - ramp / 2, 24, ramp, 255]
    }
    self.stripes = stripes
  }

  /// The picture number `index` (0 or above), BGRA.
  package mutating func draw(_ index: Int) -> [UInt8] {
    for row in 0..<height {
      let shift = (row + index * 3) % StripePattern.period
      pixels.replaceSubrange(
        row * width * 4..<(row + 1) * width * 4, with: stripes[shift * 4..<(shift + width) * 4])
    }
    let box = max(8, height / 5)
    let left = StripePattern.bounce(index * 6, width - box)
    let white = [UInt8](repeating: 255, count: box * 4)
    let top = StripePattern.bounce(index * 4, height - box)
    for row in top..<top + box {
      let start = (row * width + left) * 4
      pixels.replaceSubrange(start..<start + box * 4, with: white)
    }
    return pixels
  }

  private static func bounce(_ position: Int, _ range: Int) -> Int {
    guard range > 0 else { return 0 }
    let phase = position % (2 * range)
    return phase < range ? phase : 2 * range - phase
  }
}
