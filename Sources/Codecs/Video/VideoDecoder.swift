import RTP

/// One video decoder. Belongs to one thread; not Sendable.
///
/// Error concealment is off: a picture comes out right or not at all. After any thrown error the next frame
/// to give is a keyframe; delta frames until then throw `needsKeyframe` without touching the library.
package protocol VideoDecoder: AnyObject {
  var codec: VideoCodec { get }

  /// Decodes one frame.
  ///
  /// - Returns: the picture, in the decoder's own memory, valid until the next call; nil when the frame is
  ///   not meant to be shown.
  func decode(_ data: UnsafeRawBufferPointer) throws(CodecError) -> I420View?
}
