import WireFormat

/// What a receiving video track has done so far. Counters only rise.
package struct VideoReceiveStatistics: Hashable, Sendable {
  /// Assembled frames that came in.
  package var framesSubmitted = 0
  /// … while nobody listened; not decoded.
  package var framesUnwatched = 0
  /// … while a keyframe was awaited, or because the queue was full; not decoded.
  package var framesSkipped = 0
  package var framesDecoded = 0
  package var decodeErrors = 0
  /// The codec library's words for the last error.
  package var lastError: String?
  /// Pictures that a newer one replaced before the handler was ready for them.
  package var framesReplaced = 0
  package var framesDelivered = 0
  package var keyframeRequests = 0
  package var decodeTime = Interval.zero
  /// Of the last decoded picture.
  package var width = 0
  package var height = 0
  /// Decoded in the last second; nil until half a second has passed.
  package var framesPerSecond: Double?

  /// Frames that never reached a handler although somebody listened.
  package var framesDropped: Int { framesSkipped + framesReplaced + decodeErrors }

  package init() {}
}
