/// A picture that moves, with soft and sharp parts, the same on every machine: what codec tests encode.
package struct MovingPattern: Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The BGRA bytes of frame `number`: a drifting gradient, a striped disc on a circle, and a flat square.
  package func frame(_ number: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 255, count: width * height * 4)
    let size = min(width, height)
    let centreX = width / 2 + size * Self.wave(number * 3) / 400
    let centreY = height / 2 + size * Self.wave(number * 3 + 90) / 400
    let radius = size / 5
    bytes.withUnsafeMutableBytes { bytes in
      for row in 0..<height {
        for column in 0..<width {
          let offset = (row &* width &+ column) &* 4
          let dx = column - centreX
          let dy = row - centreY
          if dx &* dx &+ dy &* dy < radius &* radius {
            let stripe = (column &+ number) / max(1, size / 24) % 2 == 0
            bytes[offset] = stripe ? 40 : 220
            bytes[offset + 1] = stripe ? 80 : 200
            bytes[offset + 2] = stripe ? 200 : 60
          } else if row < height / 6, column < width / 6 {
            bytes[offset] = 20
            bytes[offset + 1] = 160
            bytes[offset + 2] = 90
          } else {
            bytes[offset] = UInt8(truncatingIfNeeded: Self.tent(column * 255 / width + number))
            bytes[offset + 1] = UInt8(truncatingIfNeeded: Self.tent(row * 255 / height + number * 2))
            bytes[offset + 2] = UInt8(truncatingIfNeeded: Self.tent((row + column) * 128 / width + 40))
          }
        }
      }
    }
    return bytes
  }

  /// −100…100 over 360 steps, without floating point.
  private static func wave(_ step: Int) -> Int {
    let phase = step % 360
    let half = phase % 180
    let value = half * (180 - half) / 81
    return phase < 180 ? value : -value
  }

  /// 0…255 and back.
  private static func tent(_ value: Int) -> Int {
    let phase = value % 510
    return phase < 256 ? phase : 509 - phase
  }
}
