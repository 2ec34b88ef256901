import Codecs
import RTP

/// Everything between a bitstream and its BGRA picture.
///
/// `@unchecked Sendable`: belongs to one lane, whose turns never overlap; from one thread to the next it passes
/// under the lock of `FrameThreads`.
final class VideoDecodingStage: @unchecked Sendable {
  private let cores: Int
  private var decoder: (any VideoDecoder)?

  init(cores: Int) {
    self.cores = cores
  }

  /// Decodes a frame and converts it, while its planes are still in the cache, into a picture of `pool`.
  ///
  /// The codec may change from one keyframe to the next: the sender chooses by payload type.
  ///
  /// - Returns: nil for a frame that is not to be shown.
  func decode(
    _ frame: EncodedVideoFrame, into pool: PicturePool<BGRABuffer>
  ) throws(CodecError) -> BGRABuffer? {
    let decoder = try decoder(for: frame.codec)
    // The typed error cannot pass through the standard library's rethrowing closure: it is carried out.
    let result = frame.data.withUnsafeBytes { data -> Result<BGRABuffer?, CodecError> in
      do throws(CodecError) {
        return .success(try Self.picture(decoder, data, frame.colourSpace, pool))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func decoder(for codec: VideoCodec) throws(CodecError) -> any VideoDecoder {
    if let decoder, decoder.codec == codec { return decoder }
    let made = try codec.makeDecoder(cores: cores)
    decoder = made
    return made
  }

  private static func picture(
    _ decoder: any VideoDecoder, _ data: UnsafeRawBufferPointer, _ colourSpace: VideoColourSpace?,
    _ pool: PicturePool<BGRABuffer>
  ) throws(CodecError) -> BGRABuffer? {
    guard var view = try decoder.decode(data) else { return nil }
    if let colourSpace { view.colours = view.colours.corrected(by: colourSpace) }
    let buffer = try pool.take(width: view.width, height: view.height)
    try PixelConverter.convert(view, intoBGRA: buffer.bytes, stride: buffer.stride)
    return buffer
  }
}
