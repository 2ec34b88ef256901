import Codecs
import RTP

/// A frame on its way from `push` to the encoder.
package struct PushedVideoFrame: Sendable {
  package var picture: I420Buffer
  package var captureTimeUs: Int64
  /// What the trailer is to say; nil for a frame that needs none. The frame's number is given when it is
  /// encoded, since frames that are left out are not counted.
  package var metadata: FrameMetadata?

  package init(picture: I420Buffer, captureTimeUs: Int64, metadata: FrameMetadata? = nil) {
    self.picture = picture
    self.captureTimeUs = captureTimeUs
    self.metadata = metadata
  }
}
