import CVPX

/// The speed settings of a VP8 encoder for one size, and why (figures: 2 cores of Zen 5, libvpx 1.12).
struct VP8Tuning: Hashable {
  /// Negative: real-time speed, higher magnitude is faster.
  var speed: Int
  var threads: Int
  /// Base-two logarithm of the number of token partitions.
  var tokenPartitions: Int

  init(_ settings: VideoEncoderSettings) {
    // 640×360: −6 takes 1.3 ms and gives 0.2 dB over −8, so quality is free there. From 720p on −8 costs
    // 0.1 to 0.4 dB and saves a tenth. At 1080p on two cores −10 keeps 60 frames a second in reach.
    // Beyond −10 quality falls off a cliff (−16: 4 to 7 dB) for the last 20 % of speed.
    speed =
      switch settings.pixels {
      case ..<(960 * 540): -6
      case ..<(1920 * 1080): -8
      default: settings.cores >= 4 ? -8 : -10
      }
    // libvpx's VP8 threads wait for each other by spinning. With cores to spare a second one shortens 720p from
    // 4.0 to 2.5 ms for 6 % more CPU; on two cores that others use too, a preempted thread makes the other
    // spin for its whole time slice, and a picture takes ten times as long. So: from four cores on.
    threads =
      switch (settings.pixels, settings.cores) {
      case (..<(640 * 360), _), (_, ..<4): 1
      case (..<(1920 * 1080), _), (_, ..<8): 2
      default: 4
      }
    // The receiver can decode on as many threads as there are partitions; each costs a few bytes a frame.
    tokenPartitions = threads >= 4 ? 2 : threads == 2 ? 1 : 0
  }
}
