import WireFormat

/// Cuts messages into the platform's fragments (`a=x-reactor-dc-chunking:1`): one header byte, then up to
/// 65 535 bytes of payload. Every fragment is sent as a binary message.
package struct MessageChunker: Sendable {
  /// The largest fragment that the framing has, header byte included.
  package static let maximumFragmentSize = 65_536
  /// What this side accepts, and the most that it sends: 64 MiB.
  package static let defaultMaximumMessageSize = 64 * 1024 * 1024
  /// What a peer accepts that names no size.
  package static let unspecifiedMaximumMessageSize = 262_144

  static let moreFollows: UInt8 = 0x01
  static let isText: UInt8 = 0x02

  /// What the other side said it accepts.
  package let maximumMessageSize: Int
  /// Bytes of one fragment, header byte included.
  package let fragmentSize: Int

  /// - Parameters:
  ///   - maximumMessageSize: the `max-message-size` of the peer's chunking attribute; nil when it named none.
  ///   - remoteMaxMessageSize: the peer's `a=max-message-size`: nil when absent, 0 when unlimited.
  package init(maximumMessageSize: Int?, remoteMaxMessageSize: UInt64? = nil) {
    self.maximumMessageSize = max(0, maximumMessageSize ?? Self.unspecifiedMaximumMessageSize)
    let limit = remoteMaxMessageSize ?? 65_536
    fragmentSize =
      limit == 0 || limit > UInt64(Self.maximumFragmentSize) ? Self.maximumFragmentSize : max(2, Int(limit))
  }

  /// The fragments of one message, made one at a time so that a large message is never held twice.
  package func fragments(of bytes: [UInt8], isText: Bool) throws(ChunkingError) -> Fragments {
    guard bytes.count <= maximumMessageSize else {
      throw .messageTooLarge(size: bytes.count, limit: maximumMessageSize)
    }
    return Fragments(bytes: bytes, isText: isText, payloadSize: fragmentSize - 1)
  }

  /// A message on its way: call `next` whenever the channel has room.
  package struct Fragments: Sendable {
    private let bytes: [UInt8]
    private let isText: Bool
    private let payloadSize: Int
    private var offset = 0
    /// Whether the last fragment was taken.
    package private(set) var isFinished = false

    init(bytes: [UInt8], isText: Bool, payloadSize: Int) {
      self.bytes = bytes
      self.isText = isText
      self.payloadSize = payloadSize
    }

    /// Payload bytes that are still to come.
    package var remaining: Int { bytes.count - offset }

    /// The next fragment, or nil after the last one. An empty message has one fragment.
    package mutating func next() -> [UInt8]? {
      guard !isFinished else { return nil }
      let end = min(bytes.count, offset + payloadSize)
      isFinished = end == bytes.count
      var header: UInt8 = isText ? MessageChunker.isText : 0
      if !isFinished { header |= MessageChunker.moreFollows }
      var fragment: [UInt8] = []
      fragment.reserveCapacity(end - offset + 1)
      fragment.append(header)
      fragment.append(bytes: bytes.rawSpan.clamped(offset..<end))
      offset = end
      return fragment
    }
  }
}
