import WireFormat

/// One SCTP association (RFC 9260) over a transport that keeps packets whole and secret, such as DTLS.
///
/// A machine without clock and I/O: each input carries its moment; after it drain `nextTransmit`, `nextEvent`
/// and `nextTimeout`. This file holds its state and what the user calls; the others, one each, what a kind of
/// event does: handshake, receiving, acknowledgement, transmission, timers, stream reset, shutdown.
package final class SCTPAssociation {
  let configuration: SCTPConfiguration
  var random: RandomSource
  let cookies: CookieSigner
  let receiveBufferSize: Int

  var state = AssociationState.idle
  var localTag: UInt32
  var localInitialTSN: UInt32
  var peerTag: UInt32 = 0
  var features = AssociationFeatures()
  /// Both INITs came by the session descriptions; no handshake was made.
  var isSetUpByDescriptions = false
  /// The streams that the other side accepts from us, and we from it.
  var outgoingStreams: UInt16
  var incomingStreams: UInt16

  var events = FIFO<AssociationEvent>()
  /// Control chunks to go out under the peer's tag, in order.
  var controlChunks = FIFO<[UInt8]>()
  /// Packets of one chunk under tags of their own: answers to INIT and to packets of no association.
  var replies = FIFO<Reply>()

  // Sending
  var scheduler = StreamScheduler()
  var outstanding: RetransmissionQueue
  var congestion: CongestionController
  var roundTrip: RoundTripEstimator
  var peerWindow = 0
  /// Consecutive timeouts without an answer.
  var errorCount = 0
  var retransmissionDeadline: Instant?
  var probeDeadline: Instant?
  var lossDeadline: Instant?
  var isProbeDue = false
  var isForwardTSNDue = false
  var forwardTSNSentAt: Instant?
  /// Set when the congestion window stopped new data since the last SACK: only then may the congestion window grow.
  var wasWindowLimited = false
  /// Bytes that may be sent again although the window is full, because as many left the network: without it
  /// a window cut to less than what is in flight would hold back the repairs that empty it (the idea of
  /// RFC 6937).
  var repairCredit = 0
  var lastDataSentAt: Instant?
  var isImmediateAckWanted = false

  // Receiving
  var received: ReceivedTSNs
  var reassembly: ReassemblyQueue
  var packetsSinceAck = 0
  var isAckDue = false
  var ackDeadline: Instant?
  var gapBlocks: [GapBlock] = []

  var resets: StreamReset
  var handshakeTimer = RepetitionTimer()
  var shutdownTimer = RepetitionTimer()
  var heartbeatDeadline: Instant?
  var heartbeatNonce: UInt64?
  var counters = AssociationStatistics()

  /// A chunk under a verification tag of its own.
  struct Reply {
    var tag: UInt32
    var chunk: [UInt8]
  }

  /// Replies queued at once; more are dropped, their causes come again.
  static let maximumReplies = 8
  /// Control chunks queued at once.
  static let maximumControlChunks = 64

  package init(configuration: SCTPConfiguration = SCTPConfiguration(), random: RandomSource) {
    var random = random
    self.configuration = configuration
    cookies = CookieSigner(random: &random)
    receiveBufferSize = max(configuration.receiveBufferSize, configuration.localMaxMessageSize + 65_536)
    localTag = Self.tag(&random)
    localInitialTSN = random.uint32()
    self.random = random
    outgoingStreams = configuration.maximumStreams
    incomingStreams = configuration.maximumStreams
    outstanding = RetransmissionQueue(initialTSN: localInitialTSN)
    congestion = CongestionController(
      mtu: configuration.mtu, initialPackets: configuration.initialWindowPackets)
    roundTrip = RoundTripEstimator(configuration: configuration)
    received = ReceivedTSNs(initialTSN: 0)
    reassembly = ReassemblyQueue(maximumMessageSize: Self.messageLimit(configuration))
    resets = StreamReset(localInitialTSN: localInitialTSN, peerInitialTSN: 0)
  }

  static func tag(_ random: inout RandomSource) -> UInt32 {
    // 0 is not a tag (RFC 9260 section 3.3.2).
    max(1, random.uint32())
  }

  static func messageLimit(_ configuration: SCTPConfiguration) -> Int {
    configuration.localMaxMessageSize > 0
      ? configuration.localMaxMessageSize : configuration.receiveBufferSize
  }

  // MARK: What the user calls

  /// The INIT chunk of this side, header included: sent by `start`, or carried by `a=sctp-init`.
  package var localInit: [UInt8] { initiation(tag: localTag, initialTSN: localInitialTSN).bytes }

  /// Sends INIT; or, given the INIT that the other side put into its description, is established at once.
  package func start(remoteInit: [UInt8]?, at now: Instant) {
    guard case .idle = state else { return }
    if let remoteInit, let initiation = InitiationChunk(rawChunk: remoteInit) {
      adopt(peer: initiation)
      isSetUpByDescriptions = true
      establish(at: now)
      return
    }
    state = .cookieWait
    controlChunks.append(localInit)
    handshakeTimer.start(configuration.initialRTO, at: now)
  }

  /// Queues a message.
  package func send(_ message: OutgoingMessage, at now: Instant) throws(SCTPError) {
    guard state.acceptsMessages else { throw .closed }
    guard !message.bytes.isEmpty else { throw .emptyMessage }
    guard message.stream < outgoingStreams, !scheduler[message.stream].isClosing else {
      throw .noSuchStream(message.stream)
    }
    guard message.bytes.count <= configuration.sendBufferSize - scheduler.queuedBytes else {
      throw .sendBufferFull(limit: configuration.sendBufferSize)
    }
    scheduler.append(message)
    counters.messagesSent += 1
  }

  package func nextEvent() -> AssociationEvent? {
    if let event = events.popFirst() { return event }
    guard let message = reassembly.nextMessage() else { return nil }
    counters.messagesReceived += 1
    counters.bytesReceived &+= UInt64(message.bytes.count)
    return .message(message)
  }

  var hasEvents: Bool { !events.isEmpty || reassembly.hasMessages }

  /// Moves whole messages behind the events so far, so that an event that follows them stays behind.
  func flushMessages() {
    while let message = reassembly.nextMessage() {
      counters.messagesReceived += 1
      counters.bytesReceived &+= UInt64(message.bytes.count)
      events.append(.message(message))
    }
  }

  package func bufferedAmount(of stream: UInt16) -> Int { scheduler.bufferedAmount(of: stream) }

  package func setLowWaterMark(_ bytes: Int, of stream: UInt16) {
    guard stream < configuration.maximumStreams else { return }
    scheduler[stream].lowWaterMark = bytes
  }

  package func setPriority(_ priority: DataChannelOptions.Priority, of stream: UInt16) {
    guard stream < configuration.maximumStreams else { return }
    scheduler[stream].weight = UInt64(priority.rawValue)
  }

  /// Streams from here on are not the other side's to receive.
  package var outgoingStreamLimit: UInt16 { outgoingStreams }

  package var isEstablished: Bool {
    if case .established = state { true } else { false }
  }

  package var statistics: AssociationStatistics {
    var result = counters
    result.smoothedRoundTrip = roundTrip.smoothed
    result.minimumRoundTrip = roundTrip.minimum
    result.congestionWindow = congestion.window
    result.bytesInFlight = outstanding.bytesInFlight
    result.peerReceiveWindow = peerWindow
    return result
  }

  // MARK: Beginning and end

  /// Takes over what the other side's INIT or INIT ACK says.
  func adopt(peer: InitiationChunk) {
    peerTag = peer.initiateTag
    peerWindow = Int(peer.receiveWindow)
    outgoingStreams = min(configuration.maximumStreams, peer.inboundStreams)
    incomingStreams = min(configuration.maximumStreams, peer.outboundStreams)
    features = AssociationFeatures(peer: peer, configuration: configuration)
    received = ReceivedTSNs(initialTSN: peer.initialTSN)
    resets.nextSequence = localInitialTSN
    resets.expectedSequence = peer.initialTSN
  }

  func establish(at now: Instant) {
    state = .established
    handshakeTimer.stop()
    errorCount = 0
    scheduler.isInterleaved = features.interleaving
    scheduler.dropsExpired = features.forwardTSN
    reassembly.isInterleaved = features.interleaving
    heartbeatDeadline = now + configuration.heartbeatInterval
    events.append(.established)
  }

  /// Ends without a word to the other side.
  func close(_ reason: AssociationCloseReason) {
    guard !state.isClosed else { return }
    flushMessages()
    state = .closed
    handshakeTimer.stop()
    shutdownTimer.stop()
    retransmissionDeadline = nil
    probeDeadline = nil
    lossDeadline = nil
    ackDeadline = nil
    heartbeatDeadline = nil
    resets.request = nil
    resets.wanted = []
    isAckDue = false
    controlChunks.removeAll()
    scheduler.removeAll()
    outstanding = RetransmissionQueue(initialTSN: outstanding.nextTSN)
    events.append(.closed(reason))
  }

  /// Ends with an ABORT that carries one error cause.
  func abort(cause: [UInt8], _ reason: AssociationCloseReason) {
    guard !state.isClosed else { return }
    let tag = peerTag
    close(reason)
    if tag != 0 { reply(tag: tag, ChunkWriter.chunk(ChunkType.abort, cause)) }
  }

  func violation(_ detail: String) {
    abort(
      cause: ChunkWriter.cause(ErrorCause.protocolViolation, text: detail),
      .protocolViolation(detail: detail))
  }

  func reply(tag: UInt32, _ chunk: [UInt8]) {
    guard replies.count < Self.maximumReplies else { return }
    replies.append(Reply(tag: tag, chunk: chunk))
  }

  func queueControl(_ chunk: [UInt8]) {
    guard controlChunks.count < Self.maximumControlChunks else { return }
    controlChunks.append(chunk)
  }

  package func abort(reason: String, at now: Instant) {
    abort(
      cause: ChunkWriter.cause(ErrorCause.userInitiatedAbort, text: reason),
      .abortedLocally(detail: reason))
  }
}
