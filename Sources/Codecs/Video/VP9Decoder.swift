import CVPX
import RTP

/// VP9 profile 0 by libvpx.
package final class VP9Decoder: VideoDecoder {
  package let codec = VideoCodec.vp9
  private var decoder: VPXDecoder

  /// - Parameter cores: processor cores that the decoder may count on.
  package init(cores: Int = 1) throws(CodecError) {
    decoder = try VPXDecoder(name: "VP9 decoder", codec: vpx_codec_vp9_dx(), cores: cores)
  }

  package func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View? {
    let isKeyframe: Bool
    do {
      isKeyframe = try inspect(data)
    } catch {
      decoder.waitForKeyframe()
      throw error
    }
    return try decoder.decode(data, isKeyframe: isKeyframe)
  }

  /// Checks every frame that the data says it holds: sizes within the limit, profile 0. Returns whether the
  /// first of them is a keyframe.
  private func inspect(_ data: UnsafeRawBufferPointer) throws(CodecError) -> Bool {
    let isSuperframe = data.last.map { $0 & 0xE0 == 0xC0 } ?? false
    if !isSuperframe { return try inspectFrame(data) }
    let frames = VP9Superframe.frames(in: data)
    guard let first = frames.first else { throw .corrupt("VP9 superframe index") }
    let startsWithKeyframe = try inspectFrame(UnsafeRawBufferPointer(rebasing: data[first]))
    for frame in frames.dropFirst() { _ = try inspectFrame(UnsafeRawBufferPointer(rebasing: data[frame])) }
    return startsWithKeyframe
  }

  private func inspectFrame(_ data: UnsafeRawBufferPointer) throws(CodecError) -> Bool {
    let header = try VP9FrameHeader(data)
    guard header.profile == 0 else { throw .unsupported("VP9 profile \(header.profile)") }
    if let width = header.width, let height = header.height {
      guard PictureLimit.allows(width: width, height: height) else {
        throw .pictureTooLarge(width: width, height: height)
      }
      if header.kind == .key { try decoder.prepare(width: width, height: height) }
    }
    return header.kind == .key
  }
}
