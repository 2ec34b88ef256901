import CVPX
import CYUV
import RTP

struct BareCodecFailure: Error {}

/// libyuv and libvpx in a loop of one thread, with the settings that `Codecs` chooses on two cores: what the
/// sending pipeline is measured against. The same settings show as the same bitstream.
final class BareEncoder {
  private let context = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
  private let image = UnsafeMutablePointer<vpx_image_t>.allocate(capacity: 1)
  private let width: Int
  private let height: Int
  private let ticksPerFrame: Int
  private var number: Int64 = 0

  init(_ codec: VideoCodec, width: Int, height: Int, bitrateBPS: Int, framesPerSecond: Int) throws {
    (self.width, self.height) = (width, height)
    ticksPerFrame = 90_000 / framesPerSecond
    context.initialize(to: vpx_codec_ctx_t())
    let interface = codec == .vp8 ? vpx_codec_vp8_cx() : vpx_codec_vp9_cx()
    var settings = vpx_codec_enc_cfg_t()
    vpx_codec_enc_config_default(interface, &settings, 0)
    settings.g_w = UInt32(width)
    settings.g_h = UInt32(height)
    settings.g_threads = codec == .vp9 && width * height >= 1280 * 720 ? 2 : 1
    settings.g_timebase.num = 1
    settings.g_timebase.den = 90_000
    settings.g_pass = VPX_RC_ONE_PASS
    settings.g_lag_in_frames = 0
    settings.g_error_resilient = 0
    settings.rc_end_usage = VPX_CBR
    settings.rc_target_bitrate = UInt32(bitrateBPS / 1000)
    settings.rc_dropframe_thresh = 0
    settings.rc_resize_allowed = 0
    settings.rc_min_quantizer = 2
    settings.rc_max_quantizer = 56
    settings.rc_undershoot_pct = 100
    settings.rc_overshoot_pct = 15
    settings.rc_buf_sz = 1000
    settings.rc_buf_initial_sz = 500
    settings.rc_buf_optimal_sz = 600
    settings.kf_mode = VPX_KF_DISABLED
    guard reactor_vpx_encoder_init(context, interface, &settings) == VPX_CODEC_OK,
      vpx_img_alloc(image, VPX_IMG_FMT_I420, UInt32(width), UInt32(height), 64) != nil
    else { throw BareCodecFailure() }
    let keyframeLimit = 30 * framesPerSecond
    for (control, value) in Self.controls(codec, pixels: width * height, threads: Int(settings.g_threads)) {
      reactor_vpx_set(context, CInt(control.rawValue), value)
    }
    reactor_vpx_set(context, CInt(VP8E_SET_MAX_INTRA_BITRATE_PCT.rawValue), CInt(max(300, keyframeLimit)))
  }

  deinit {
    vpx_codec_destroy(context)
    vpx_img_free(image)
    image.deallocate()
    context.deallocate()
  }

  private static func controls(
    _ codec: VideoCodec, pixels: Int, threads: Int
  ) -> [(vp8e_enc_control_id, CInt)] {
    let isSmall = pixels <= 640 * 360
    let isLarge = pixels >= 1920 * 1080
    if codec == .vp8 {
      return [
        (VP8E_SET_CPUUSED, isSmall ? -6 : isLarge ? -10 : -8), (VP8E_SET_TOKEN_PARTITIONS, 0),
        (VP8E_SET_NOISE_SENSITIVITY, 0), (VP8E_SET_STATIC_THRESHOLD, 1), (VP8E_SET_SCREEN_CONTENT_MODE, 0),
      ]
    }
    return [
      (VP8E_SET_CPUUSED, isSmall ? 7 : isLarge ? 9 : 8), (VP9E_SET_TILE_COLUMNS, threads > 1 ? 1 : 0),
      (VP9E_SET_ROW_MT, threads > 1 ? 1 : 0), (VP9E_SET_FRAME_PARALLEL_DECODING, 0), (VP9E_SET_AQ_MODE, 3),
      (VP9E_SET_NOISE_SENSITIVITY, 0), (VP8E_SET_STATIC_THRESHOLD, 1), (VP9E_SET_TUNE_CONTENT, 0),
      (VP9E_SET_GF_CBR_BOOST_PCT, 0), (VP8E_SET_ENABLEAUTOALTREF, 0),
    ]
  }

  /// Converts and encodes a picture; how long its bitstream is.
  func encode(bgra: [UInt8]) throws -> Int {
    let planes = image.pointee
    ARGBToI420(
      bgra, CInt(width * 4), planes.planes.0, planes.stride.0, planes.planes.1, planes.stride.1,
      planes.planes.2,
      planes.stride.2, CInt(width), CInt(height))
    let flags = number == 0 ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0
    let time = number * Int64(ticksPerFrame)
    number += 1
    guard
      vpx_codec_encode(context, image, time, UInt(ticksPerFrame), flags, UInt(VPX_DL_REALTIME))
        == VPX_CODEC_OK
    else { throw BareCodecFailure() }
    var iterator: vpx_codec_iter_t?
    var size = 0
    while let packet = vpx_codec_get_cx_data(context, &iterator) {
      if packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT { size += reactor_vpx_packet_size(packet) }
    }
    return size
  }
}

/// libvpx and libyuv in a loop of one thread: what the receiving pipeline is measured against.
final class BareDecoder {
  private let context = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
  private let width: Int
  private var pixels: [UInt8]

  init(_ codec: VideoCodec, width: Int, height: Int) throws {
    self.width = width
    pixels = [UInt8](repeating: 0, count: width * height * 4)
    context.initialize(to: vpx_codec_ctx_t())
    var settings = vpx_codec_dec_cfg_t(threads: 1, w: 0, h: 0)
    let interface = codec == .vp8 ? vpx_codec_vp8_dx() : vpx_codec_vp9_dx()
    guard reactor_vpx_decoder_init(context, interface, &settings) == VPX_CODEC_OK else {
      throw BareCodecFailure()
    }
  }

  deinit {
    vpx_codec_destroy(context)
    context.deallocate()
  }

  func decode(_ data: [UInt8]) throws {
    guard vpx_codec_decode(context, data, UInt32(data.count), nil, 0) == VPX_CODEC_OK else {
      throw BareCodecFailure()
    }
    var iterator: vpx_codec_iter_t?
    guard let picture = vpx_codec_get_frame(context, &iterator) else { throw BareCodecFailure() }
    let planes = picture.pointee
    I420ToARGB(
      planes.planes.0, planes.stride.0, planes.planes.1, planes.stride.1, planes.planes.2, planes.stride.2,
      &pixels, CInt(width * 4), CInt(planes.d_w), CInt(planes.d_h))
  }
}
