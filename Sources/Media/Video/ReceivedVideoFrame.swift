import RTP

/// A decoded picture, lent to a handler for the length of its call.
package struct ReceivedVideoFrame: ~Copyable {
  /// BGRA, `4 × width` bytes a row, alpha 255. Invalid once the handler has returned.
  package let pixels: UnsafeRawBufferPointer
  package let width: Int
  package let height: Int
  /// As received: 90 kHz with the sender's offset.
  package let rtpTimestamp: UInt32
  /// What the frame's trailer said; nil without one.
  package let metadata: FrameMetadata?
}
