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

  /// One thread to 1920 × 1080 (3.1 ms a picture): a second one gains a quarter at best, and where cores are
  /// scarce the two cost more than they save (VP8's spin while they wait). Two above, from four cores on.
  private func prepare(width: Int, height: Int) throws(CodecError) {
    guard PictureLimit.allows(width: width, height: height) else {
      throw .pictureTooLarge(width: width, height: height)
    }
    let wanted = width * height > 1920 * 1080 && cores >= 4 ? 2 : 1
    if wanted != threads { try open(threads: wanted) }
  }

  private func open(threads: Int) throws(CodecError) {
    decoder = try VPXDecoderContext(name: "VP8 decoder", codec: vpx_codec_vp8_dx(), threads: threads)
    self.threads = threads
    isSpoiled = false
  }
}
