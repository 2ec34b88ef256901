import CVPX

/// The part of a decoder that VP8 and VP9 share: libvpx's context and the look at its picture.
final class VPXDecoderContext {
  private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
  private let name: String
  private var isInitialised = false

  init(name: String, codec: OpaquePointer?, threads: Int) throws(CodecError) {
    self.name = name
    context = .allocate(capacity: 1)
    context.initialize(to: vpx_codec_ctx_t())
    var configuration = vpx_codec_dec_cfg_t(threads: UInt32(threads), w: 0, h: 0)
    let status = reactor_vpx_decoder_init(context, codec, &configuration)
    guard status == VPX_CODEC_OK else {
      throw .library(operation: "\(name) open", message: vpxMessage(context, status))
    }
    isInitialised = true
  }

  deinit {
    if isInitialised { vpx_codec_destroy(context) }
    context.deallocate()
  }

  func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View? {
    let status = vpx_codec_decode(
      context, data.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: data.count), nil, 0)
    guard status == VPX_CODEC_OK else {
      throw .library(operation: "\(name) decode", message: vpxMessage(context, status))
    }
    var iterator: vpx_codec_iter_t?
    var newest: UnsafeMutablePointer<vpx_image_t>?
    while let image = vpx_codec_get_frame(context, &iterator) { newest = image }
    guard let newest else { return nil }
    var isCorrupted: CInt = 0
    if reactor_vpx_get(context, CInt(VP8D_GET_FRAME_CORRUPTED.rawValue), &isCorrupted) == VPX_CODEC_OK,
      isCorrupted != 0
    {
      throw .corrupt("\(name): a reference was missing or broken")
    }
    return try view(of: newest.pointee)
  }

  private func view(of image: vpx_image_t) throws(CodecError) -> I420View {
    guard image.fmt == VPX_IMG_FMT_I420, image.bit_depth <= 8 else {
      throw .unsupported("\(name): a picture that is not 8-bit 4:2:0")
    }
    guard let y = image.planes.0, let u = image.planes.1, let v = image.planes.2 else {
      throw .corrupt("\(name): a picture without planes")
    }
    let colours = I420View.Colours(
      matrix: image.cs == VPX_CS_BT_709 ? .bt709 : image.cs == VPX_CS_BT_2020 ? .bt2020 : .bt601,
      isFullRange: image.range == VPX_CR_FULL_RANGE)
    return I420View(
      width: Int(image.d_w), height: Int(image.d_h), y: y, u: u, v: v, yStride: Int(image.stride.0),
      uStride: Int(image.stride.1), vStride: Int(image.stride.2), colours: colours)
  }
}
