import WireFormat

/// Puts the platform's fragments together again; one a channel.
///
/// Holds at most one message of at most `maximumMessageSize` bytes. After an error the channel is to be
/// closed: whatever comes later is refused with the same error.
package struct MessageReassembler: Sendable {
  package struct Message: Hashable, Sendable {
    package let bytes: [UInt8]
    package let isText: Bool

    package init(bytes: [UInt8], isText: Bool) {
      self.bytes = bytes
      self.isText = isText
    }
  }

  /// The largest message accepted: what our own chunking attribute says.
  package let maximumMessageSize: Int
  private var partial: [UInt8] = []
  private var partialIsText: Bool?
  private var failure: ChunkingError?

  package init(maximumMessageSize: Int = MessageChunker.defaultMaximumMessageSize) {
    self.maximumMessageSize = max(0, maximumMessageSize)
  }

  /// Whether a message has begun and not ended.
  package var isInMessage: Bool { partialIsText != nil }

  /// Takes one SCTP message; gives the whole message that it completes.
  package mutating func accept(
    _ fragment: RawSpan, isTextMessage: Bool = false
  ) throws(ChunkingError) -> Message? {
    if let failure { throw failure }
    do throws(ChunkingError) {
      return try take(fragment, isTextMessage: isTextMessage)
    } catch {
      failure = error
      partial = []
      partialIsText = nil
      throw error
    }
  }

  /// The same for bytes in an array.
  package mutating func accept(
    _ fragment: [UInt8], isTextMessage: Bool = false
  ) throws(ChunkingError) -> Message? {
    try accept(fragment.rawSpan, isTextMessage: isTextMessage)
  }

  private mutating func take(
    _ fragment: RawSpan, isTextMessage: Bool
  ) throws(ChunkingError) -> Message? {
    guard !isTextMessage else { throw .textMessage }
    guard let header = fragment.byte(at: 0) else { throw .emptyFragment }
    let known = MessageChunker.moreFollows | MessageChunker.isText
    guard header & ~known == 0 else { throw .reservedBits(header) }
    guard fragment.byteCount <= MessageChunker.maximumFragmentSize else {
      throw .fragmentTooLarge(size: fragment.byteCount)
    }
    let isText = header & MessageChunker.isText != 0
    let moreFollows = header & MessageChunker.moreFollows != 0
    if let partialIsText, partialIsText != isText { throw .textBitChanged }
    let payload = fragment.clamped(1..<fragment.byteCount)
    guard partial.count + payload.byteCount <= maximumMessageSize else {
      throw .reassembledTooLarge(limit: maximumMessageSize)
    }
    // A stream of these would keep the receiver busy for nothing and never end.
    guard !(moreFollows && payload.byteCount == 0) else { throw .emptyContinuation }
    guard moreFollows || partialIsText != nil else {
      return Message(bytes: payload.copyBytes(), isText: isText)
    }
    partial.append(bytes: payload)
    partialIsText = isText
    guard !moreFollows else { return nil }
    let message = Message(bytes: partial, isText: isText)
    partial = []
    partialIsText = nil
    return message
  }
}
