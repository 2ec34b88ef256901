#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A decoded picture, copied out for the handler to keep.
public struct VideoFrame: Sendable {
  /// The track it came on.
  public let trackName: String
  /// BGRA, `width` × `height` × 4 bytes, rows without padding, alpha 255.
  public let pixels: Data
  /// In pixels.
  public let width: UInt32
  /// In pixels.
  public let height: UInt32
  /// The sender's count of tagged frames, from 1; 0 without frame metadata.
  public let frameID: UInt64
  /// Microseconds on the sender's clock, of which only differences mean something; 0 without frame metadata.
  public let captureTimeUs: UInt64
  /// The sender's tag; nil without one.
  public let userData: Data?

  package init(
    trackName: String, pixels: Data, width: UInt32, height: UInt32, frameID: UInt64 = 0,
    captureTimeUs: UInt64 = 0, userData: Data? = nil
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
