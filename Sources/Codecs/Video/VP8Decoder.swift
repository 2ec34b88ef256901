import CVPX
import RTP

/// VP8 (RFC 6386) by libvpx.
package final class VP8Decoder: VideoDecoder {
  package let codec = VideoCodec.vp8
  private let cores: Int
  private var decoder: VPXDecoderContext
  private var threads = 1
  private var needsKeyframe = true
  /// A frame failed inside the library. It loses a frame buffer to some broken frames, and after enough of
  /// them decodes nothing any more: the next keyframe gets a new decoder.
  private var isSpoiled = false

  /// - Parameter cores: processor cores that the decoder may count on.
  package init(cores: Int = 1) throws(CodecError) {
    self.cores = cores
    decoder = try VPXDecoderContext(name: "VP8 decoder", codec: vpx_codec_vp8_dx(), threads: 1)
  }

  package func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View? {
    let header: VP8FrameHeader
    do {
      header = try VP8FrameHeader(data)
      if let size = header.size { try prepare(width: size.width, height: size.height) }
    } catch {
      needsKeyframe = true
      throw error
    }
    guard header.isKeyframe || !needsKeyframe else { throw .needsKeyframe }
    needsKeyframe = true
    if isSpoiled { try open(threads: threads) }
    isSpoiled = true
    let picture = try decoder.decode(data)
    isSpoiled = false
    needsKeyframe = false
    return picture
  }

  /// One thread to 1280 × 720: a second one shortens a picture (1.45 to 0.9 ms) but its spinning costs more
  /// CPU than it saves, and latency there is not the decoder's. Two above.
  private func prepare(width: Int, height: Int) throws(CodecError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    let wanted = width * height > 1280 * 720 ? min(2, max(1, cores)) : 1
    if wanted != threads { try open(threads: wanted) }
  }

  private func open(threads: Int) throws(CodecError) {
    decoder = try VPXDecoderContext(name: "VP8 decoder", codec: vpx_codec_vp8_dx(), threads: threads)
    self.threads = threads
    isSpoiled = false
  }
}
