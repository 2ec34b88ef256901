import Codecs
import RTP

/// A frame on its way from `push` to the encoder.
struct PushedVideoFrame: Sendable {
  var picture: I420Buffer
  var captureTimeUs: Int64
  /// What the trailer is to say; nil for a frame that needs none. The frame's number is given when it is
  /// encoded, since frames that are left out are not counted.
  var metadata: FrameMetadata?
}
