import RTP

/// What a receiving audio track has done so far. Counters only rise.
package struct AudioReceiveStatistics: Hashable, Sendable {
  package var packetsInserted = 0
  /// … while nobody listened; let go.
  package var packetsUnwatched = 0
  /// … while too many waited for the audio thread; the oldest are let go.
  package var packetsDropped = 0
  package var playout = AudioPlayoutStatistics()
  package var decodeErrors = 0
  /// The codec library's words for the last error.
  package var lastError: String?
  /// Frames of 10 ms that handlers got.
  package var framesDelivered = 0
  /// Frames that were lost because a handler took too long.
  package var framesRefused = 0

  package init() {}
}
