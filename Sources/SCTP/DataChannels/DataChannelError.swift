/// Why a data channel call was refused. Nothing was sent.
package enum DataChannelError: Error, Hashable, Sendable {
  case noSuchChannel
  /// The channel is closing or closed.
  case channelClosed
  /// The whole transport is closed.
  case transportClosed
  /// `size` bytes are more than the other side's `a=max-message-size`.
  case messageTooLarge(size: Int, limit: Int)
  case sendBufferFull(limit: Int)
  /// Every stream identifier of this side's parity is taken.
  case noFreeStream
  /// A negotiated identifier is in use or outside of what is allowed.
  case streamInUse(UInt16)
  /// A label or protocol longer than 65 535 bytes.
  case labelTooLong
}
