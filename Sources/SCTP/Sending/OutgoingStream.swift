import WireFormat

/// One stream's queue of messages that are not wholly sent.
struct OutgoingStream {
  var queue = FIFO<OutgoingMessage>()
  /// Bytes in the queue that were not made into chunks: the channel's buffered amount.
  var queuedBytes = 0
  var lowWaterMark = 0
  /// Share of the path relative to other streams.
  var weight: UInt64 = UInt64(DataChannelOptions.Priority.normal.rawValue)
  /// What the stream has been served, in bytes over weight: the stream with the least is next.
  var served: UInt64 = 0
  var nextSequence: UInt16 = 0
  var nextOrderedMessageID: UInt32 = 0
  var nextUnorderedMessageID: UInt32 = 0
  /// Whether it takes no more messages, because it is to be reset.
  var isClosing = false

  /// Starts its numbers anew (RFC 6525 section 5.2.7).
  mutating func reset() {
    nextSequence = 0
    nextOrderedMessageID = 0
    nextUnorderedMessageID = 0
    isClosing = false
  }

  /// Gives the message at the head its place in the stream; called when its first fragment is made, so that
  /// a message dropped before leaves no hole.
  mutating func number(_ message: OutgoingMessage, interleaved: Bool) {
    guard interleaved else {
      guard !message.isUnordered else { return }
      message.sequence = nextSequence
      nextSequence &+= 1
      return
    }
    if message.isUnordered {
      message.messageID = nextUnorderedMessageID
      nextUnorderedMessageID &+= 1
    } else {
      message.messageID = nextOrderedMessageID
      nextOrderedMessageID &+= 1
    }
  }
}
