import Foundation
import Reactor

/// Colours through both conversions of both sides: BGRA to I420 here, back and forth in the model, and back here.
extension RuntimeDrive {
  /// Sixteen upright bars: the corners of the colour cube, greys, and colours in between. BGR.
  private static let bars: [SIMD3<UInt8>] = [
    [0, 0, 0], [255, 255, 255], [0, 0, 255], [0, 255, 0], [255, 0, 0], [0, 255, 255], [255, 255, 0],
    [255, 0, 255], [64, 64, 64], [128, 128, 128], [192, 192, 192], [40, 60, 120], [120, 60, 40],
    [60, 120, 40],
    [30, 144, 255], [180, 105, 255],
  ]

  func colours(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    let (width, height) = (640, 360)
    let track = try reactor.track("camera")
    if !track.published { try await track.publish() }
    var pixels = Data(capacity: width * height * 4)
    for _ in 0..<height {
      for x in 0..<width {
        let bar = RuntimeDrive.bars[x * 16 / width]
        pixels.append(contentsOf: [bar.x, bar.y, bar.z, 255])
      }
    }
    // The picture stands still: what is left after two seconds is the conversions' doing, not the codec's.
    var due = ContinuousClock.now
    for _ in 0..<75 {
      try track.pushFrame(pixels, width: UInt32(width), height: UInt32(height), userData: Data("bars".utf8))
      due += .microseconds(33_333)
      try await Task.sleep(until: due, clock: .continuous)
    }
    let echoes = observer.pictures.filter(\.isEcho).suffix(10)
    try expect(echoes.count == 10, "\(echoes.count) marked pictures came back")
    var sum = 0.0
    var worst = (error: 0.0, bar: 0)
    for (index, bar) in RuntimeDrive.bars.enumerated() {
      for channel in 0..<3 {
        let mean = echoes.reduce(0.0) { $0 + Double($1.line[index][channel]) } / Double(echoes.count)
        let error = abs(mean - Double(bar[channel]))
        sum += error
        if error > worst.error { worst = (error, index) }
      }
    }
    let mean = sum / Double(RuntimeDrive.bars.count * 3)
    let text = String(format: "mean error %.2f of 255 a channel, largest %.1f", mean, worst.error)
    try expect(mean <= generation.colourError, "\(text) in \(RuntimeDrive.bars[worst.bar])")
    return text
  }
}
