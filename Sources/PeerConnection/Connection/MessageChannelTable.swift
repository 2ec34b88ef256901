import SCTP
import WireFormat

/// The connection's data channels: whole messages above, SCTP messages (chunked where negotiated) below.
final class MessageChannelTable {
  /// Bytes of a chunked message handed to the association ahead of what it has sent. The rest waits here, so
  /// that a large message is held once and channels share the path fairly.
  static let handOverBytes = 1 << 20
  /// Bytes that may wait here on one channel; a `send` beyond it is refused.
  static let queuedBytesLimit = 128 << 20

  private let transport: DataChannelTransport
  private var channels: [DataChannelID: MessageChannel] = [:]
  private var sendLimit: Int?
  private var chunking: (send: Int, receive: Int, remoteMaxMessageSize: UInt64?)?
  private var isNegotiated = false

  init(transport: DataChannelTransport) {
    self.transport = transport
  }

  /// The descriptions are known: from now on messages may be framed.
  func negotiated(
    maxSendMessageSize: Int, remoteMaxMessageSize: UInt64?, chunking: (send: Int, receive: Int)?
  ) {
    guard !isNegotiated else { return }
    isNegotiated = true
    sendLimit = maxSendMessageSize
    self.chunking = chunking.map { ($0.send, $0.receive, remoteMaxMessageSize) }
    for id in channels.keys { applyChunking(id) }
  }

  func open(
    label: String, options: DataChannelOptions, at now: Instant
  ) throws(DataChannelError) -> DataChannelID {
    let id = try transport.open(label: label, options: options, at: now)
    channels[id] = MessageChannel(id: id, label: label, options: options)
    if isNegotiated { applyChunking(id) }
    return id
  }

  private func applyChunking(_ id: DataChannelID) {
    guard let chunking, channels[id]?.canCarryFragments == true else { return }
    channels[id]?.chunker = MessageChunker(
      maximumMessageSize: chunking.send, remoteMaxMessageSize: chunking.remoteMaxMessageSize)
    channels[id]?.reassembler = MessageReassembler(maximumMessageSize: chunking.receive)
    transport.setLowWaterMark(MessageChannelTable.handOverBytes / 2, of: id)
  }

  /// The largest message that may be sent, for error texts and stepped sessions.
  var maxMessageSize: Int { chunking?.send ?? sendLimit ?? 65_536 }

  func send(_ bytes: [UInt8], isText: Bool, on id: DataChannelID, at now: Instant) throws(PeerConnectionError)
  {
    guard let channel = channels[id] else { throw .notFound("such data channel") }
    guard channel.isOpen, !channel.isClosing, channel.failure == nil else {
      throw .dataChannel(.channelClosed)
    }
    guard let chunker = channel.chunker else {
      let limit = sendLimit ?? 65_536
      guard bytes.count <= limit else { throw .messageTooLarge(size: bytes.count, limit: limit) }
      do { try transport.send(bytes, isText: isText, on: id, at: now) } catch { throw .dataChannel(error) }
      return
    }
    let fragments: MessageChunker.Fragments
    do {
      fragments = try chunker.fragments(of: bytes, isText: isText)
    } catch {
      throw .messageTooLarge(size: bytes.count, limit: chunker.maximumMessageSize)
    }
    guard channel.sendingBytes + bytes.count <= MessageChannelTable.queuedBytesLimit else {
      throw .dataChannel(.sendBufferFull(limit: MessageChannelTable.queuedBytesLimit))
    }
    channels[id]?.sending.append(fragments)
    channels[id]?.sendingBytes += bytes.count
    feed(id, at: now)
  }

  /// Hands fragments over while the association has taken enough of the last ones.
  private func feed(_ id: DataChannelID, at now: Instant) {
    while transport.bufferedAmount(of: id) < MessageChannelTable.handOverBytes,
      var fragments = channels[id]?.current ?? channels[id]?.sending.popFirst()
    {
      let before = fragments.remaining
      guard let fragment = fragments.next() else {
        channels[id]?.current = nil
        continue
      }
      channels[id]?.current = fragments.isFinished ? nil : fragments
      channels[id]?.sendingBytes -= before - fragments.remaining
      guard (try? transport.send(fragment, isText: false, on: id, at: now)) != nil else { return }
    }
    guard let channel = channels[id], channel.isClosing, channel.hasHandedOver else { return }
    transport.close(channel: id, at: now)
  }

  func bufferedAmount(of id: DataChannelID) -> Int {
    transport.bufferedAmount(of: id) + (channels[id]?.sendingBytes ?? 0)
  }

  /// Closes a channel after what was sent on it.
  func close(_ id: DataChannelID, at now: Instant) {
    guard let channel = channels[id], !channel.isClosing else { return }
    channels[id]?.isClosing = true
    feed(id, at: now)
  }

  /// Turns what the transport reports into what the connection's owner sees.
  func handle(_ event: DataChannelEvent, at now: Instant, _ report: (PeerConnectionEvent) -> Void) {
    switch event {
    case .established, .closed: break
    case .channelOpened(let opened):
      if channels[opened.id] == nil {
        channels[opened.id] = MessageChannel(
          id: opened.id, label: opened.label, options: opened.options)
        applyChunking(opened.id)
      }
      channels[opened.id]?.isOpen = true
      report(.channelOpened(opened.id, label: opened.label, isRemote: opened.isRemote))
    case .message(let id, let bytes, let isText): receive(bytes, isText: isText, on: id, at: now, report)
    case .bufferedAmountLow(let id):
      feed(id, at: now)
      report(.bufferedAmountLow(id))
    case .channelClosed(let id, let reason):
      guard let channel = channels.removeValue(forKey: id) else { return }
      let text = channel.failure.map { "the peer broke the message framing: \($0)" } ?? "\(reason)"
      report(.channelClosed(id, label: channel.label, reason: text))
    }
  }

  private func receive(
    _ bytes: [UInt8], isText: Bool, on id: DataChannelID, at now: Instant,
    _ report: (PeerConnectionEvent) -> Void
  ) {
    guard channels[id]?.failure == nil else { return }
    guard channels[id]?.reassembler != nil else {
      report(.message(id, bytes, isText: isText))
      return
    }
    do {
      guard let message = try channels[id]?.reassembler?.accept(bytes, isTextMessage: isText) else { return }
      report(.message(id, message.bytes, isText: message.isText))
    } catch {
      channels[id]?.failure = error
      transport.close(channel: id, at: now)
    }
  }
}
