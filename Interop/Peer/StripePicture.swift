/// A picture of stripes that slide, with a patch of one colour in its middle ninth. BGRA.
struct StripePicture {
  private static let period = 64

  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]
  /// One row that is longer than the picture is wide by a period of its stripes.
  private let stripes: [UInt8]
  private let patch: [UInt8]

  init(width: Int, height: Int, patch colour: [UInt8]) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 255, count: width * height * 4)
    var stripes: [UInt8] = []
    for column in 0..<width + StripePicture.period {
      let level: UInt8 = column % StripePicture.period < StripePicture.period / 2 ? 60 : 190
      stripes += [level, 128, 255 - level, 255]
    }
    self.stripes = stripes
    var patch: [UInt8] = []
    for _ in 0..<width - 2 * (width / 3) { patch += colour }
    self.patch = patch
  }

  mutating func draw(_ number: Int) {
    let patchRows = height / 3..<height - height / 3
    for line in 0..<height {
      let shift = (number * 2 + line / 8) % StripePicture.period
      let start = line * width * 4
      pixels.replaceSubrange(start..<start + width * 4, with: stripes[shift * 4..<(shift + width) * 4])
      guard patchRows.contains(line) else { continue }
      let middle = start + width / 3 * 4
      pixels.replaceSubrange(middle..<middle + patch.count, with: patch)
    }
  }
}
