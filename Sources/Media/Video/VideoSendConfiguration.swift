/// How a track's frames are encoded.
package struct VideoSendConfiguration: Hashable, Sendable {
  /// Until `setTargetBitrate` says otherwise.
  package var bitrateBPS: Int
  /// Until the pushes themselves show another rate.
  package var framesPerSecond: Double
  /// Processor cores that the encoder may count on.
  package var cores: Int
  /// Text and flat areas instead of camera or model pictures.
  package var screenContent: Bool
  /// Whether rate control may leave frames out to keep the bitrate.
  package var dropsFrames: Bool
  /// Whether the picture may be encoded smaller when the bitrate cannot carry its size.
  package var adaptsResolution: Bool

  package init(
    bitrateBPS: Int = 2_500_000, framesPerSecond: Double = 30, cores: Int = 2, screenContent: Bool = false,
    dropsFrames: Bool = true, adaptsResolution: Bool = true
  ) {
    self.bitrateBPS = bitrateBPS
    self.framesPerSecond = framesPerSecond
    self.cores = cores
    self.screenContent = screenContent
    self.dropsFrames = dropsFrames
    self.adaptsResolution = adaptsResolution
  }
}
