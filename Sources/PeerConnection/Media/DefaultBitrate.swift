import RTP

/// What a sending track may use unless the app says otherwise.
///
/// libwebrtc stops at 2.5 Mbit/s for anything above 960 × 540, which shows at 1280 × 720 and smears at
/// 1920 × 1080. These are about 0.18 bit a pixel at 30 frames a second for small pictures, falling to 0.14
/// for large ones, where VP8 and VP9 in real time stop gaining in quality.
package enum DefaultBitrate {
  package static let audio = TrackBitrateLimits(minimum: 16_000, maximum: 128_000)

  /// The maximum for a picture of this size, in bits per second.
  package static func videoMaximum(width: Int, height: Int) -> Int {
    switch width * height {
    case ...(320 * 180): 700_000
    case ...(640 * 360): 2_000_000
    case ...(960 * 540): 3_500_000
    case ...(1280 * 720): 5_000_000
    case ...(1920 * 1080): 9_000_000
    default: 15_000_000
    }
  }

  package static let videoMinimum = 50_000
}
