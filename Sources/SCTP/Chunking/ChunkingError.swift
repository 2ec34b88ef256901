/// What breaks the platform's message chunking. On the receiving side each of these closes the channel.
package enum ChunkingError: Error, Hashable, Sendable {
  /// The message to send is larger than the other side accepts.
  case messageTooLarge(size: Int, limit: Int)
  /// What has come of a message is larger than this side accepts.
  case reassembledTooLarge(limit: Int)
  /// A fragment without its header byte.
  case emptyFragment
  /// A header byte with bits that mean nothing: also what a message without a header looks like.
  case reservedBits(UInt8)
  /// A fragment whose text bit differs from that of the message it continues.
  case textBitChanged
  /// A fragment longer than 65 536 bytes.
  case fragmentTooLarge(size: Int)
  /// An SCTP text message: fragments are binary, even those of text.
  case textMessage
  /// Fragments that carry nothing and say that more follows.
  case emptyContinuation
}
