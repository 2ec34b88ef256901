/// What the platform's trailer says of one video frame (docs/protocol.md, "Frame metadata").
package struct FrameMetadata: Hashable, Sendable {
  /// Counts trailer-carrying frames of a track from 1; 0 when absent.
  package var frameID: UInt64
  /// Microseconds on the sender's monotonic clock; 0 when absent.
  package var captureTimeUs: UInt64
  /// The tag; nil when absent.
  package var userData: [UInt8]?

  package init(frameID: UInt64 = 0, captureTimeUs: UInt64 = 0, userData: [UInt8]? = nil) {
    self.frameID = frameID
    self.captureTimeUs = captureTimeUs
    self.userData = userData
  }
}
