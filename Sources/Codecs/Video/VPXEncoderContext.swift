import CVPX

/// The part of an encoder that VP8 and VP9 share: libvpx's context, its configuration and the packet drain.
final class VPXEncoderContext {
  private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
  private let image: UnsafeMutablePointer<vpx_image_t>
  private var configuration: vpx_codec_enc_cfg_t
  private let name: String
  private var isInitialised = false

  /// Opens an encoder. Both codecs get the same rate control:
  ///
  /// - CBR over a 1 s buffer, aiming at 0.6 s, half full at the start: the network's pacer holds no more
  ///   than that, and a keyframe of several times the average still fits.
  /// - undershoot 100 %, overshoot 15 %: congestion control has measured what the path carries; what goes
  ///   over it becomes delay.
  /// - quantizers 2…56: finer than 2 is invisible, coarser than 56 is a smear: rather a smaller picture
  ///   (`QualityScaler`) or a frame left out.
  /// - dropping from a buffer of 30 % on, where allowed: a late frame is worth less than the next one.
  /// - no automatic keyframes: they come when asked for. A periodic one costs ten delta frames and helps
  ///   nobody, since a receiver that lost the thread says so (PLI).
  /// - no lag, one pass, no error-resilient mode: lost packets are repeated (RTX) or answered by a
  ///   keyframe, and the mode costs around 5 % of the bitrate.
  init(
    name: String, codec: OpaquePointer?, settings: VideoEncoderSettings,
    threads: Int
  ) throws(CodecError) {
    guard PictureLimit.allows(width: settings.width, height: settings.height) else {
      throw .pictureTooLarge(width: settings.width, height: settings.height)
    }
    self.name = name
    configuration = vpx_codec_enc_cfg_t()
    context = .allocate(capacity: 1)
    context.initialize(to: vpx_codec_ctx_t())
    image = .allocate(capacity: 1)
    image.initialize(to: vpx_image_t())

    let found = vpx_codec_enc_config_default(codec, &configuration, 0)
    guard found == VPX_CODEC_OK else { throw failure("default configuration", found) }
    configuration.g_w = UInt32(settings.width)
    configuration.g_h = UInt32(settings.height)
    configuration.g_threads = UInt32(threads)
    configuration.g_timebase.num = 1
    configuration.g_timebase.den = 90_000
    configuration.g_pass = VPX_RC_ONE_PASS
    configuration.g_lag_in_frames = 0
    configuration.g_error_resilient = 0
    configuration.rc_end_usage = VPX_CBR
    configuration.rc_target_bitrate = VideoEncoderSettings.kilobits(settings.bitrateBPS)
    configuration.rc_dropframe_thresh = settings.dropsFrames ? 30 : 0
    configuration.rc_resize_allowed = 0
    configuration.rc_min_quantizer = 2
    configuration.rc_max_quantizer = 56
    configuration.rc_undershoot_pct = 100
    configuration.rc_overshoot_pct = 15
    configuration.rc_buf_sz = 1000
    configuration.rc_buf_initial_sz = 500
    configuration.rc_buf_optimal_sz = 600
    configuration.kf_mode = VPX_KF_DISABLED
    let opened = reactor_vpx_encoder_init(context, codec, &configuration)
    guard opened == VPX_CODEC_OK else { throw failure("open", opened) }
    isInitialised = true

    image.pointee.fmt = VPX_IMG_FMT_I420
    image.pointee.w = UInt32(settings.width)
    image.pointee.h = UInt32(settings.height)
    image.pointee.d_w = UInt32(settings.width)
    image.pointee.d_h = UInt32(settings.height)
    image.pointee.bit_depth = 8
    image.pointee.bps = 12
    image.pointee.x_chroma_shift = 1
    image.pointee.y_chroma_shift = 1
  }

  deinit {
    if isInitialised { vpx_codec_destroy(context) }
    context.deallocate()
    image.deallocate()
  }

  func set(_ control: vp8e_enc_control_id, _ value: Int) throws(CodecError) {
    let status = reactor_vpx_set(context, CInt(control.rawValue), CInt(value))
    guard status == VPX_CODEC_OK else { throw failure("control \(control.rawValue) = \(value)", status) }
  }

  /// The largest keyframe, in per cent of an average frame: half of the rate-control buffer, so that one
  /// keyframe can never fill it alone; at least three average frames, or nothing could be recognised.
  func setKeyframeLimit(framesPerSecond: Double) throws(CodecError) {
    let share = 0.5 * Double(configuration.rc_buf_optimal_sz) / 1000 * framesPerSecond * 100
    try set(VP8E_SET_MAX_INTRA_BITRATE_PCT, Int(max(300, min(share, 10_000))))
  }

  func setBitrate(_ bitsPerSecond: Int) throws(CodecError) {
    let kilobits = VideoEncoderSettings.kilobits(bitsPerSecond)
    guard kilobits != configuration.rc_target_bitrate else { return }
    configuration.rc_target_bitrate = kilobits
    let status = vpx_codec_enc_config_set(context, &configuration)
    guard status == VPX_CODEC_OK else { throw failure("set bitrate", status) }
  }

  func encode(
    _ picture: I420View, at time: Int64, duration: Int, keyframe: Bool, into output: inout [UInt8]
  ) throws(CodecError) -> EncodedPicture? {
    guard picture.width == Int(configuration.g_w), picture.height == Int(configuration.g_h) else {
      throw .unsupported("a picture of \(picture.width)x\(picture.height) in this encoder")
    }
    // libvpx takes mutable planes and only reads them.
    image.pointee.planes.0 = UnsafeMutablePointer(mutating: picture.y)
    image.pointee.planes.1 = UnsafeMutablePointer(mutating: picture.u)
    image.pointee.planes.2 = UnsafeMutablePointer(mutating: picture.v)
    image.pointee.stride.0 = CInt(picture.yStride)
    image.pointee.stride.1 = CInt(picture.uStride)
    image.pointee.stride.2 = CInt(picture.vStride)
    let flags = keyframe ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0
    let status = vpx_codec_encode(
      context, image, time, UInt(max(1, duration)), flags, UInt(VPX_DL_REALTIME))
    guard status == VPX_CODEC_OK else { throw failure("encode", status) }

    var iterator: vpx_codec_iter_t?
    var result: EncodedPicture?
    while let packet = vpx_codec_get_cx_data(context, &iterator) {
      guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT else { continue }
      let size = reactor_vpx_packet_size(packet)
      guard size > 0, let bytes = reactor_vpx_packet_bytes(packet) else { continue }
      output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size))
      result = EncodedPicture(isKeyframe: reactor_vpx_packet_is_keyframe(packet) != 0, quantizer: 0)
    }
    guard var result else { return nil }
    var quantizer: CInt = 0
    if reactor_vpx_get(context, CInt(VP8E_GET_LAST_QUANTIZER.rawValue), &quantizer) == VPX_CODEC_OK {
      result.quantizer = Int(quantizer)
    }
    return result
  }

  private func failure(_ operation: String, _ status: vpx_codec_err_t) -> CodecError {
    .library(operation: "\(name) \(operation)", message: vpxMessage(context, status))
  }
}

/// libvpx's words for a failure: the general one, and the detail where it has one.
func vpxMessage(_ context: UnsafeMutablePointer<vpx_codec_ctx_t>, _ status: vpx_codec_err_t) -> String {
  var message = vpx_codec_err_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
  if let detail = vpx_codec_error_detail(context) { message += ": " + String(cString: detail) }
  return message
}
