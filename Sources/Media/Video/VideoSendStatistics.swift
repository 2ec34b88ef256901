import WireFormat

/// What a sending video track has done so far. Counters only rise.
package struct VideoSendStatistics: Hashable, Sendable {
  /// Frames that `push` took.
  package var framesPushed = 0
  /// Frames that a newer one replaced before the encoder came to them: more is pushed than can be encoded.
  package var framesReplaced = 0
  /// Frames that rate control left out.
  package var framesDroppedByEncoder = 0
  package var framesEncoded = 0
  package var keyframesEncoded = 0
  package var bytesEncoded = 0
  package var encodeErrors = 0
  /// The codec library's words for the last error.
  package var lastError: String?
  /// Processor time is more where the encoder has several threads: this is the time it took.
  package var encodeTime = Interval.zero
  /// Of the last encoded picture.
  package var width = 0
  package var height = 0
  package var targetBitrateBPS = 0
  /// Encoded in the last second; nil until half a second has passed.
  package var framesPerSecond: Double?

  package init() {}
}
