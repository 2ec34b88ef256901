/// What an encoder is told when it is made. Bitrate and frame rate change later by `setRate`; another size
/// needs another encoder (libvpx cannot grow beyond its first size, and a new size starts with a keyframe
/// in any case).
package struct VideoEncoderSettings: Hashable, Sendable {
  package var width: Int
  package var height: Int
  package var bitrateBPS: Int
  package var framesPerSecond: Double
  /// Processor cores that the encoder may count on.
  package var cores: Int
  /// Text and flat areas instead of camera or model pictures.
  package var screenContent: Bool
  /// Whether rate control may leave frames out to keep the bitrate.
  package var dropsFrames: Bool

  package init(
    width: Int, height: Int, bitrateBPS: Int, framesPerSecond: Double = 30, cores: Int = 1,
    screenContent: Bool = false, dropsFrames: Bool = true
  ) {
    self.width = width
    self.height = height
    self.bitrateBPS = bitrateBPS
    self.framesPerSecond = framesPerSecond
    self.cores = cores
    self.screenContent = screenContent
    self.dropsFrames = dropsFrames
  }

  var pixels: Int { width * height }

  /// libvpx counts in kbit/s; under 30 it produces nothing that can be recognised.
  static func kilobits(_ bitsPerSecond: Int) -> UInt32 {
    UInt32(clamping: max(30, min(bitsPerSecond, 1_000_000_000) / 1000))
  }
}
