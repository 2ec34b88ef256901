import CVPX
import RTP

/// VP8 (RFC 6386) by libvpx.
package final class VP8Decoder: VideoDecoder {
  package let codec = VideoCodec.vp8
  private var decoder: VPXDecoder

  /// - Parameter cores: processor cores that the decoder may count on.
  package init(cores: Int = 1) throws(CodecError) {
    decoder = try VPXDecoder(name: "VP8 decoder", codec: vpx_codec_vp8_dx(), cores: cores)
  }

  package func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View? {
    let header: VP8FrameHeader
    do {
      header = try VP8FrameHeader(data)
      if let size = header.size { try decoder.prepare(width: size.width, height: size.height) }
    } catch {
      decoder.waitForKeyframe()
      throw error
    }
    return try decoder.decode(data, isKeyframe: header.isKeyframe)
  }
}
