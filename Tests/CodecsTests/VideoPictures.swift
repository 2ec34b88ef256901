import Codecs
import TestSupport
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Frame `number` of the moving pattern, as I420.
func patternPicture(_ number: Int, width: Int, height: Int) throws -> I420Buffer {
  let picture = try I420Buffer(width: width, height: height)
  let pixels = MovingPattern(width: width, height: height).frame(number)
  try pixels.withUnsafeBytes { try PixelConverter.convert(bgra: $0, stride: width * 4, into: picture) }
  return picture
}

/// Peak signal-to-noise ratio of the luma planes, in decibels.
func lumaPSNR(_ left: I420View, _ right: I420View) -> Double {
  guard left.width == right.width, left.height == right.height else { return 0 }
  var sum = 0
  for row in 0..<left.height {
    for column in 0..<left.width {
      let difference = Int(left.y[row * left.yStride + column]) - Int(right.y[row * right.yStride + column])
      sum += difference * difference
    }
  }
  guard sum > 0 else { return 99 }
  return 10 * log10(255 * 255 * Double(left.width * left.height) / Double(sum))
}

/// The mean luma, for telling pictures apart.
func meanLuma(_ view: I420View) -> Double {
  var sum = 0
  for row in 0..<view.height {
    for column in 0..<view.width { sum += Int(view.y[row * view.yStride + column]) }
  }
  return Double(sum) / Double(view.width * view.height)
}
