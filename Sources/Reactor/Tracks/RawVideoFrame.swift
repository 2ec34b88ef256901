/// A decoded picture that is only lent: its buffers are gone when the handler returns.
public struct RawVideoFrame: ~Copyable {
  /// The track it came on.
  public let trackName: String
  /// BGRA, `width` × `height` × 4 bytes, rows without padding, alpha 255. Valid during the handler only.
  public let pixels: UnsafeRawBufferPointer
  /// In pixels.
  public let width: UInt32
  /// In pixels.
  public let height: UInt32
  /// The sender's count of tagged frames, from 1; 0 without frame metadata.
  public let frameID: UInt64
  /// Microseconds on the sender's clock, of which only differences mean something; 0 without frame metadata.
  public let captureTimeUs: UInt64
  /// The sender's tag, valid during the handler only; nil without one.
  public let userData: UnsafeRawBufferPointer?

  package init(
    trackName: String, pixels: UnsafeRawBufferPointer, width: UInt32, height: UInt32, frameID: UInt64,
    captureTimeUs: UInt64, userData: UnsafeRawBufferPointer?
  ) {
    self.trackName = trackName
    self.pixels = pixels
    self.width = width
    self.height = height
    self.frameID = frameID
    self.captureTimeUs = captureTimeUs
    self.userData = userData
  }
}
