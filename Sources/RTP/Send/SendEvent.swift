/// What a ``SendTransport`` has to say to the encoders.
package enum SendEvent: Hashable, Sendable {
  /// Bits per second that the track's encoder should aim at from now on.
  case targetBitrateChanged(track: Int, bitsPerSecond: Int)
  /// The next frame of the track should be a keyframe.
  case keyframeRequested(track: Int)
}
