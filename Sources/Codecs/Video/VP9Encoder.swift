import CVPX
import RTP

/// VP9 profile 0 by libvpx, real-time, one spatial and one temporal layer.
package final class VP9Encoder: VideoEncoder {
  package let codec = VideoCodec.vp9
  package private(set) var settings: VideoEncoderSettings
  package let coarsestQuantizer = 255
  private let encoder: VPXEncoderContext

  package init(_ settings: VideoEncoderSettings) throws(CodecError) {
    self.settings = settings
    let tuning = VP9Tuning(settings)
    encoder = try VPXEncoderContext(
      name: "VP9 encoder", codec: vpx_codec_vp9_cx(), settings: settings, threads: tuning.threads)
    try encoder.set(VP8E_SET_CPUUSED, tuning.speed)
    try encoder.set(VP9E_SET_TILE_COLUMNS, tuning.tileColumns)
    // Row-based threads share the rows of one tile: the only way to two threads under 512 pixels of width.
    try encoder.set(VP9E_SET_ROW_MT, tuning.threads > 1 ? 1 : 0)
    // Off, so that probabilities adapt from frame to frame: 3 to 5 % of the bitrate.
    try encoder.set(VP9E_SET_FRAME_PARALLEL_DECODING, 0)
    // 3, cyclic refresh: spends spare bits on renewing a few blocks a frame; made for real-time CBR.
    try encoder.set(VP9E_SET_AQ_MODE, 3)
    try encoder.set(VP9E_SET_NOISE_SENSITIVITY, 0)
    try encoder.set(VP8E_SET_STATIC_THRESHOLD, settings.screenContent ? 100 : 1)
    try encoder.set(VP9E_SET_TUNE_CONTENT, settings.screenContent ? 1 : 0)
    // No golden-frame boost: a periodic large frame is a periodic delay.
    try encoder.set(VP9E_SET_GF_CBR_BOOST_PCT, 0)
    try encoder.set(VP8E_SET_ENABLEAUTOALTREF, 0)
    // What the converter makes; a browser takes BT.709 for granted where VP9 says nothing.
    try encoder.set(VP9E_SET_COLOR_SPACE, Int(VPX_CS_BT_601.rawValue))
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
