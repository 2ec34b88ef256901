/// The speed settings of a VP9 encoder for one size, and why (figures: 2 cores of Zen 5, libvpx 1.12).
struct VP9Tuning: Hashable {
  /// Real-time speed, 5…9; higher is faster.
  var speed: Int
  var threads: Int
  /// Base-two logarithm of the number of tile columns; a tile is at least 256 pixels wide.
  var tileColumns: Int

  init(_ settings: VideoEncoderSettings) {
    // 720p: speed 7 takes 9.0 ms, 8 takes 7.4 at the same PSNR, 9 takes 5.2 for 1.7 dB less. At 1080p on
    // few cores only 9 stays under a frame time at 60 frames a second.
    speed =
      switch settings.pixels {
      case ..<(640 * 360 + 1): 7
      case ..<(1920 * 1080): 8
      default: settings.cores >= 4 ? 8 : 9
      }
    // VP9's threads sleep while they wait, so a second one does no harm on two cores; under 720p it gains
    // nothing (720p: 7.4 to 5.0 ms, 1080p at speed 9: 13.2 to 9.5).
    threads =
      switch settings.pixels {
      case ..<(1280 * 720): 1
      case ..<(1920 * 1080): min(2, max(1, settings.cores))
      default: settings.cores >= 8 ? 4 : min(2, max(1, settings.cores))
      }
    // As many columns as threads, so that a receiver can use as many too, within what the width allows.
    var columns = 0
    while columns < 6, 1 << (columns + 1) <= threads, settings.width >> (columns + 1) >= 256 {
      columns += 1
    }
    tileColumns = columns
  }
}
