import CVPX
import RTP

/// VP8 (RFC 6386) by libvpx, real-time.
package final class VP8Encoder: VideoEncoder {
  package let codec = VideoCodec.vp8
  package private(set) var settings: VideoEncoderSettings
  package let coarsestQuantizer = 127
  private let encoder: VPXEncoderContext

  package init(_ settings: VideoEncoderSettings) throws(CodecError) {
    self.settings = settings
    let tuning = VP8Tuning(settings)
    encoder = try VPXEncoderContext(
      name: "VP8 encoder", codec: vpx_codec_vp8_cx(), settings: settings, threads: tuning.threads)
    try encoder.set(VP8E_SET_CPUUSED, tuning.speed)
    try encoder.set(VP8E_SET_TOKEN_PARTITIONS, tuning.tokenPartitions)
    // No denoiser: it costs a third of the time and blurs what a model drew on purpose.
    try encoder.set(VP8E_SET_NOISE_SENSITIVITY, 0)
    // Skip blocks that changed by less than coding noise; a still screen may skip far more.
    try encoder.set(VP8E_SET_STATIC_THRESHOLD, settings.screenContent ? 100 : 1)
    // 2: screen content with a coarser limit on the keyframe's rate, as its pictures are mostly flat.
    try encoder.set(VP8E_SET_SCREEN_CONTENT_MODE, settings.screenContent ? 2 : 0)
    try encoder.setKeyframeLimit(framesPerSecond: settings.framesPerSecond)
  }

  package func encode(
    _ picture: I420View, at time: Int64, duration: Int, keyframe: Bool, into output: inout [UInt8]
  ) throws(CodecError) -> EncodedPicture? {
    try encoder.encode(picture, at: time, duration: duration, keyframe: keyframe, into: &output)
  }

  package func setRate(bitrateBPS: Int, framesPerSecond: Double) throws(CodecError) {
    settings.bitrateBPS = bitrateBPS
    try encoder.setBitrate(bitrateBPS)
    if framesPerSecond != settings.framesPerSecond {
      settings.framesPerSecond = framesPerSecond
      try encoder.setKeyframeLimit(framesPerSecond: framesPerSecond)
    }
  }
}
