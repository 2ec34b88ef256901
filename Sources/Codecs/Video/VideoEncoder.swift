import RTP

/// What an encoder says of a picture that it encoded; the bytes are in the array it was given.
package struct EncodedPicture: Hashable, Sendable {
  package var isKeyframe: Bool
  /// The quantizer index on the codec's own scale (VP8: 0…127, VP9: 0…255); higher is coarser.
  package var quantizer: Int
}

/// One video encoder of one size. Belongs to one thread; not Sendable.
package protocol VideoEncoder: AnyObject {
  var codec: VideoCodec { get }
  var settings: VideoEncoderSettings { get }
  /// The coarsest quantizer of the codec's scale.
  var coarsestQuantizer: Int { get }

  /// Encodes one picture of the settings' size.
  ///
  /// - Parameters:
  ///   - time: 90 kHz, must rise from call to call.
  ///   - duration: 90 kHz steps until the next picture is expected; at least 1.
  ///   - keyframe: whether this picture must not depend on earlier ones.
  ///   - output: the bitstream is appended.
  /// - Returns: nil when rate control left the picture out.
  func encode(
    _ picture: I420View, at time: Int64, duration: Int, keyframe: Bool, into output: inout [UInt8]
  ) throws(CodecError) -> EncodedPicture?

  /// Changes bitrate and frame rate from the next picture on, without a keyframe.
  func setRate(bitrateBPS: Int, framesPerSecond: Double) throws(CodecError)
}

extension VideoCodec {
  /// An encoder of this codec.
  package func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder {
    switch self {
    case .vp8: try VP8Encoder(settings)
    case .vp9: try VP9Encoder(settings)
    }
  }

  /// A decoder of this codec.
  package func makeDecoder(cores: Int) throws(CodecError) -> any VideoDecoder {
    switch self {
    case .vp8: try VP8Decoder(cores: cores)
    case .vp9: try VP9Decoder(cores: cores)
    }
  }
}
