/// What a sending audio track has done so far. Counters only rise.
package struct AudioSendStatistics: Hashable, Sendable {
  /// Samples a channel that `push` took, at the pushed rate.
  package var framesPushed = 0
  /// Pushes that were not taken because more than `AudioSendPipeline.backlogLimit` waited.
  package var pushesDropped = 0
  package var packetsEncoded = 0
  package var bytesEncoded = 0
  /// Packets of silence that filled gaps; among `packetsEncoded`.
  package var packetsOfSilence = 0
  package var encodeErrors = 0
  /// The codec library's words for the last error.
  package var lastError: String?

  package init() {}
}
