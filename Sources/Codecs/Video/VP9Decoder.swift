import CVPX
import RTP

/// VP9 profile 0 by libvpx.
package final class VP9Decoder: VideoDecoder {
  package let codec = VideoCodec.vp9
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
    decoder = try VPXDecoderContext(name: "VP9 decoder", codec: vpx_codec_vp9_dx(), threads: 1)
  }

  package func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View? {
    let isKeyframe: Bool
    do {
      isKeyframe = try inspect(data)
    } catch {
      needsKeyframe = true
      throw error
    }
    guard isKeyframe || !needsKeyframe else { throw .needsKeyframe }
    needsKeyframe = true
    if isSpoiled { try open(threads: threads) }
    isSpoiled = true
    let picture = try decoder.decode(data)
    isSpoiled = false
    needsKeyframe = false
    return picture
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
      if header.kind == .key { try prepare(width: width, height: height) }
    }
    return header.kind == .key
  }

  /// One thread to 1920 × 1080 (3.4 ms a picture): a second one gains a quarter at best, and where cores are
  /// scarce the two cost more than they save (VP8's spin while they wait). Two above, from four cores on.
  private func prepare(width: Int, height: Int) throws(CodecError) {
    let wanted = width * height > 1920 * 1080 && cores >= 4 ? 2 : 1
    if wanted != threads { try open(threads: wanted) }
  }

  private func open(threads: Int) throws(CodecError) {
    decoder = try VPXDecoderContext(name: "VP9 decoder", codec: vpx_codec_vp9_dx(), threads: threads)
    self.threads = threads
    isSpoiled = false
  }
}
