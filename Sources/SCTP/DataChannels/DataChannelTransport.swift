import WireFormat

/// Data channels over one SCTP association: what a peer connection holds (RFC 8831, 8832).
///
/// Feed it (`handle`, `handleTimeout`, calls), then drain it: `nextTransmit` until false, `nextEvent` until
/// nil, then `nextTimeout` says when `handleTimeout` is due. One owner, no clock, no I/O.
package final class DataChannelTransport {
  /// What `remoteMaxMessageSize` means when the description names none (RFC 8841 section 6.1).
  package static let defaultMaxMessageSize = 65_536

  let association: SCTPAssociation
  private let configuration: SCTPConfiguration
  private var channels: [DataChannelID: DataChannel] = [:]
  /// The channel on each stream; grown to the highest identifier in use.
  private var streams: [DataChannel?] = []
  private var events = FIFO<DataChannelEvent>()
  private var nextID: UInt32 = 0
  private var isDTLSClient: Bool?
  private var isEstablished = false
  private var closedReason: AssociationCloseReason?
  /// 0 is unlimited.
  private var remoteMaxMessageSize = DataChannelTransport.defaultMaxMessageSize

  package init(configuration: SCTPConfiguration = SCTPConfiguration(), random: RandomSource) {
    self.configuration = configuration
    association = SCTPAssociation(configuration: configuration, random: random)
  }

  // MARK: Life

  /// The INIT chunk that `a=sctp-init` carries in base64 (SNAP). It is also the one sent by a handshake.
  package var localInit: [UInt8] { association.localInit }

  /// DTLS is up: sends INIT or, when both descriptions carried one, is established at once.
  ///
  /// - Parameters:
  ///   - isDTLSClient: decides which stream identifiers are ours: even as client, odd as server.
  ///   - remoteMaxMessageSize: the peer's `a=max-message-size`; nil when absent, 0 when unlimited.
  ///   - remoteInit: the peer's `a=sctp-init`, decoded, if our description carried one too. What cannot be
  ///     used falls back to the handshake.
  package func start(
    isDTLSClient: Bool, remoteMaxMessageSize: UInt64?, remoteInit: [UInt8]?, at now: Instant
  ) {
    guard self.isDTLSClient == nil, closedReason == nil else { return }
    self.isDTLSClient = isDTLSClient
    self.remoteMaxMessageSize =
      remoteMaxMessageSize.map { Int(clamping: $0) } ?? Self.defaultMaxMessageSize
    association.start(remoteInit: remoteInit, at: now)
    drainAssociation(at: now)
  }

  /// Takes one SCTP packet: the content of a DTLS record.
  package func handle(_ packet: RawSpan, at now: Instant) {
    association.handle(packet, at: now)
    drainAssociation(at: now)
  }

  /// Writes the next packet behind what `packet` holds (nothing, usually). False when none is due.
  package func nextTransmit(into packet: PacketBuffer, at now: Instant) -> Bool {
    let wrote = association.nextTransmit(into: packet, at: now)
    if association.hasEvents { drainAssociation(at: now) }
    return wrote
  }

  package func nextEvent() -> DataChannelEvent? { events.popFirst() }

  package func nextTimeout() -> Instant? { association.nextTimeout() }

  package func handleTimeout(at now: Instant) {
    association.handleTimeout(at: now)
    drainAssociation(at: now)
  }

  /// Ends in order: what is queued is delivered first, then `closed` comes.
  package func shutdown(at now: Instant) {
    association.shutdown(at: now)
    drainAssociation(at: now)
  }

  /// Ends at once; one ABORT packet is left to transmit.
  package func abort(reason: String, at now: Instant) {
    association.abort(reason: reason, at: now)
    drainAssociation(at: now)
  }

  package var statistics: AssociationStatistics { association.statistics }

  // MARK: Channels

  /// Opens a channel; before `start` too, in which case it opens with the association.
  ///
  /// Messages may be sent as soon as this returns: they follow the OPEN.
  package func open(
    label: String, options: DataChannelOptions = DataChannelOptions(), at now: Instant
  ) throws(DataChannelError) -> DataChannelID {
    guard closedReason == nil else { throw .transportClosed }
    guard label.utf8.count <= 0xFFFF, options.protocol.utf8.count <= 0xFFFF else { throw .labelTooLong }
    let channel = DataChannel(id: takeID(), label: label, options: options, isRemote: false)
    if let stream = options.negotiatedID {
      guard stream < configuration.maximumStreams, channelOn(stream) == nil else {
        throw .streamInUse(stream)
      }
      occupy(stream, by: channel)
    } else if isDTLSClient != nil {
      guard let stream = freeStream() else { throw .noFreeStream }
      occupy(stream, by: channel)
    } else {
      guard channels.count < Int(configuration.maximumStreams) else { throw .noFreeStream }
    }
    channels[channel.id] = channel
    if isEstablished { establish(channel, at: now) }
    drainAssociation(at: now)
    return channel.id
  }

  package func send(
    _ bytes: [UInt8], isText: Bool, on id: DataChannelID, at now: Instant
  ) throws(DataChannelError) {
    let channel = try sendable(id, size: bytes.count)
    guard channel.isOpen, let stream = channel.streamID else { throw .channelClosed }
    let payloadProtocol: UInt32
    if bytes.isEmpty {
      payloadProtocol = isText ? PayloadProtocol.emptyText : PayloadProtocol.emptyBinary
    } else {
      payloadProtocol = isText ? PayloadProtocol.text : PayloadProtocol.binary
    }
    let options = channel.options
    try transmit(
      OutgoingMessage(
        bytes: bytes.isEmpty ? [0] : bytes, stream: stream, payloadProtocol: payloadProtocol,
        isUnordered: !options.isOrdered && channel.isAcknowledged, reliability: options.reliability, at: now),
      at: now)
  }

  /// The same for borrowed bytes, which are copied.
  package func send(
    _ bytes: RawSpan, isText: Bool, on id: DataChannelID, at now: Instant
  ) throws(DataChannelError) {
    _ = try sendable(id, size: bytes.byteCount)
    try send(bytes.copyBytes(), isText: isText, on: id, at: now)
  }

  /// Closes a channel after what is queued on it was sent; `channelClosed` follows when both sides have.
  package func close(channel id: DataChannelID, at now: Instant) {
    guard let channel = channels[id] else { return }
    close(channel, reason: .closedLocally, at: now)
    drainAssociation(at: now)
  }

  /// Bytes queued on a channel and not yet sent; 0 for a channel that is gone.
  package func bufferedAmount(of id: DataChannelID) -> Int {
    guard let stream = channels[id]?.streamID else { return 0 }
    return association.bufferedAmount(of: stream)
  }

  /// `bufferedAmountLow` is reported whenever the buffered amount falls from above `bytes` to it or below.
  package func setLowWaterMark(_ bytes: Int, of id: DataChannelID) {
    guard let channel = channels[id] else { return }
    channel.lowWaterMark = max(0, bytes)
    if let stream = channel.streamID, !channel.isWaiting {
      association.setLowWaterMark(channel.lowWaterMark, of: stream)
    }
  }

  /// The SCTP stream of a channel; nil before the DTLS roles are known and after the close.
  package func streamID(of id: DataChannelID) -> UInt16? { channels[id]?.streamID }

  // MARK: Opening

  private func takeID() -> DataChannelID {
    defer { nextID &+= 1 }
    return DataChannelID(rawValue: nextID)
  }

  private func channelOn(_ stream: UInt16) -> DataChannel? {
    Int(stream) < streams.count ? streams[Int(stream)] : nil
  }

  private func occupy(_ stream: UInt16, by channel: DataChannel) {
    while streams.count <= Int(stream) { streams.append(nil) }
    streams[Int(stream)] = channel
    channel.streamID = stream
  }

  /// The lowest identifier of our parity that nobody uses (RFC 8832 section 6).
  private func freeStream() -> UInt16? {
    guard let isDTLSClient else { return nil }
    let limit = isEstablished ? association.outgoingStreamLimit : configuration.maximumStreams
    var stream: UInt16 = isDTLSClient ? 0 : 1
    while stream < limit {
      if channelOn(stream) == nil, !association.isResetting(stream) { return stream }
      stream += 2
    }
    return nil
  }

  private func establish(_ channel: DataChannel, at now: Instant) {
    guard channel.isWaiting else { return }
    if channel.streamID == nil, let stream = freeStream() { occupy(stream, by: channel) }
    guard let stream = channel.streamID, stream < association.outgoingStreamLimit else {
      forget(channel, reason: .noFreeStream)
      return
    }
    channel.state = .open
    association.setPriority(channel.options.priority, of: stream)
    association.setLowWaterMark(channel.lowWaterMark, of: stream)
    if channel.options.negotiatedID == nil {
      let open = DataChannelMessage.open(.init(label: channel.label, options: channel.options))
      sendControl(open, on: stream, at: now)
    } else {
      channel.isAcknowledged = true
    }
    report(opened: channel, on: stream)
  }

  private func report(opened channel: DataChannel, on stream: UInt16) {
    events.append(
      .channelOpened(
        OpenedDataChannel(
          id: channel.id, streamID: stream, label: channel.label, options: channel.options,
          isRemote: channel.isRemote)))
  }

  /// OPEN and ACK go in order and reliably whatever the channel is (RFC 8832 section 6).
  private func sendControl(_ message: DataChannelMessage, on stream: UInt16, at now: Instant) {
    try? association.send(
      OutgoingMessage(
        bytes: message.bytes, stream: stream, payloadProtocol: PayloadProtocol.control, isUnordered: false,
        reliability: .full, at: now),
      at: now)
  }

  // MARK: Sending

  private func sendable(_ id: DataChannelID, size: Int) throws(DataChannelError) -> DataChannel {
    guard closedReason == nil else { throw .transportClosed }
    guard let channel = channels[id] else { throw .noSuchChannel }
    guard remoteMaxMessageSize == 0 || size <= remoteMaxMessageSize else {
      throw .messageTooLarge(size: size, limit: remoteMaxMessageSize)
    }
    return channel
  }

  private func transmit(_ message: OutgoingMessage, at now: Instant) throws(DataChannelError) {
    do {
      try association.send(message, at: now)
    } catch {
      switch error {
      case .closed: throw .transportClosed
      case .noSuchStream: throw .channelClosed
      case .sendBufferFull(let limit): throw .sendBufferFull(limit: limit)
      case .emptyMessage: throw .channelClosed
      }
    }
  }

  // MARK: Closing

  private func close(_ channel: DataChannel, reason: DataChannelCloseReason, at now: Instant) {
    switch channel.state {
    case .waitingForTransport: forget(channel, reason: reason)
    case .open:
      guard let stream = channel.streamID else { return forget(channel, reason: reason) }
      channel.closeReason = reason
      channel.state = .closing(.init())
      association.resetOutgoingStream(stream, at: now)
    case .closing, .closed: break
    }
  }

  private func forget(_ channel: DataChannel, reason: DataChannelCloseReason) {
    channel.state = .closed
    if let stream = channel.streamID, channelOn(stream) === channel { streams[Int(stream)] = nil }
    channels[channel.id] = nil
    events.append(.channelClosed(channel.id, reason: reason))
  }

  private func advance(_ channel: DataChannel, _ change: (inout DataChannel.Closing) -> Void) {
    guard case .closing(var closing) = channel.state else { return }
    change(&closing)
    channel.state = .closing(closing)
    if closing.isDone { forget(channel, reason: channel.closeReason) }
  }

  private func closeAll() {
    for channel in channels.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      forget(channel, reason: .transportClosed)
    }
  }

  // MARK: What the association reports

  private func drainAssociation(at now: Instant) {
    while let event = association.nextEvent() {
      switch event {
      case .established: established(at: now)
      case .restarted: closeAll()
      case .message(let message): received(message, at: now)
      case .messageTooLarge(let stream):
        guard let channel = channelOn(stream) else { break }
        close(channel, reason: .messageTooLarge(limit: configuration.localMaxMessageSize), at: now)
      case .bufferedAmountLow(let stream):
        guard let channel = channelOn(stream), channel.isOpen else { break }
        events.append(.bufferedAmountLow(channel.id))
      case .incomingStreamsReset(let reset): incomingReset(reset, at: now)
      case .outgoingStreamsReset(let reset):
        for stream in reset {
          guard let channel = channelOn(stream) else { continue }
          advance(channel) { $0.awaitsOutgoingReset = false }
        }
      case .closed(let reason):
        guard closedReason == nil else { break }
        closedReason = reason
        closeAll()
        events.append(.closed(reason))
      }
    }
  }

  private func established(at now: Instant) {
    isEstablished = true
    events.append(.established)
    for channel in channels.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      establish(channel, at: now)
    }
  }

  private func incomingReset(_ reset: [UInt16], at now: Instant) {
    for stream in reset {
      guard let channel = channelOn(stream) else { continue }
      close(channel, reason: .closedByPeer, at: now)
      advance(channel) { $0.awaitsIncomingReset = false }
    }
  }

  private func received(_ message: InboundMessage, at now: Instant) {
    if message.payloadProtocol == PayloadProtocol.control {
      return receivedControl(message, at: now)
    }
    guard let channel = channelOn(message.stream) else { return }
    switch channel.state {
    // A channel that we are closing still delivers what the peer had sent before it closed its half.
    case .open, .closing: break
    case .waitingForTransport, .closed: return
    }
    // Any message shows that the peer has the channel, were its ACK lost among unordered ones.
    channel.isAcknowledged = true
    switch message.payloadProtocol {
    case PayloadProtocol.text, PayloadProtocol.textPartial:
      events.append(.message(channel.id, bytes: message.bytes, isText: true))
    case PayloadProtocol.binary, PayloadProtocol.binaryPartial:
      events.append(.message(channel.id, bytes: message.bytes, isText: false))
    case PayloadProtocol.emptyText: events.append(.message(channel.id, bytes: [], isText: true))
    case PayloadProtocol.emptyBinary: events.append(.message(channel.id, bytes: [], isText: false))
    // RFC 8831 section 6.6 knows no others; nothing says what they would mean.
    default: break
    }
  }

  private func receivedControl(_ message: InboundMessage, at now: Instant) {
    let stream = message.stream
    switch DataChannelMessage(message.bytes.rawSpan) {
    case .acknowledge: channelOn(stream)?.isAcknowledged = true
    case .open(let open): receivedOpen(open, on: stream, at: now)
    // What is not a message of the protocol fails the channel (RFC 8832 section 5).
    case nil:
      if let channel = channelOn(stream) { close(channel, reason: .closedByPeer, at: now) }
    }
  }

  private func receivedOpen(_ open: DataChannelMessage.Open, on stream: UInt16, at now: Instant) {
    if let channel = channelOn(stream) {
      // A second OPEN on a live channel breaks RFC 8832 section 6; the channel cannot be trusted any more.
      if channel.options.negotiatedID == nil { close(channel, reason: .closedByPeer, at: now) }
      return
    }
    guard let isDTLSClient, stream < association.outgoingStreamLimit else {
      association.resetOutgoingStream(stream, at: now)
      return
    }
    // The opener picks even identifiers as DTLS client. One of the wrong parity could collide with ours.
    guard (stream % 2 == 1) == isDTLSClient else {
      association.resetOutgoingStream(stream, at: now)
      return
    }
    let channel = DataChannel(id: takeID(), label: open.label, options: open.options, isRemote: true)
    channel.isAcknowledged = true
    channel.state = .open
    channels[channel.id] = channel
    occupy(stream, by: channel)
    association.setPriority(open.options.priority, of: stream)
    association.setLowWaterMark(0, of: stream)
    sendControl(.acknowledge, on: stream, at: now)
    report(opened: channel, on: stream)
  }
}
