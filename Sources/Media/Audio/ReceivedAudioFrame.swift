/// 10 ms of decoded audio, lent to a handler for the length of its call.
package struct ReceivedAudioFrame: ~Copyable {
  /// Interleaved, 480 a channel. Invalid once the handler has returned.
  package let samples: UnsafeBufferPointer<Int16>
  package let sampleRate: Int
  package let channels: Int
}
