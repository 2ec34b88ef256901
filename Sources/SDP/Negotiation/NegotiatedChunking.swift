/// Data-channel chunking, when both sides declared it.
package struct NegotiatedChunking: Hashable, Sendable {
  /// The largest whole message that the peer takes, in bytes.
  package var maxSendMessageSize: Int
  /// The largest whole message that this side announced to take, in bytes.
  package var maxReceiveMessageSize: Int
}
