import ICE
import Media
import PeerConnection
import ReactorTypes
import ReactorWire
import Synchronization
import WireFormat

/// One connection to a runtime: the WebRTC connection, and the talk over its two data channels.
///
/// An actor on the network thread, like the connection itself: nothing here waits for another thread.
actor RuntimeLink {
  /// How long a silent path may stay silent after it was reported as disconnected. The runtime has given up
  /// on us by then (7.6 s), so that waiting longer could not help.
  private static let silenceGrace = Interval.milliseconds(2500)

  private enum Phase {
    case building
    case ready
    case ended
  }

  nonisolated let live: LiveConnection
  private nonisolated let loop: NetworkLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Set before anybody is told of the end, so that whoever missed the telling can see it.
  private nonisolated let hasEnded = Atomic(false)
  nonisolated var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  private let onEvent: @Sendable (RuntimeLinkEvent) -> Void
  private let timing: ConversationTiming
  private var conversation: ClientConversation?
  private var phase = Phase.building
  private var peerState = PeerConnectionState.new
  private var openChannels: Set<String> = []
  private var readiness: [CheckedContinuation<Void, any Error>] = []
  private var replies: [RequestToken: CheckedContinuation<RequestReply, any Error>] = [:]
  private var timer: LoopTimer?
  private var silentSince: Instant?
  private var endReason: String?
  private var onReportDue: (@Sendable () -> Void)?

  /// - Parameter onEvent: called on the network thread.
  init(
    configuration: LiveConnectionConfiguration, timing: ConversationTiming, loop: NetworkLoop,
    frameThreads: FrameThreads, onEvent: @escaping @Sendable (RuntimeLinkEvent) -> Void
  ) {
    self.loop = loop
    self.timing = timing
    self.onEvent = onEvent
    let forward = LoopReference<RuntimeLink>()
    live = LiveConnection(configuration: configuration, loop: loop, frameThreads: frameThreads) { event in
      forward.object?.assumeIsolated { $0.handle(event) }
    }
    forward.object = self
  }

  // MARK: Building

  /// The channels in the order in which they are opened: the runtime takes the first frame that it hears for
  /// the connection's generation, and the control channel's ping is the safest first frame.
  private static let channels = [ChannelLabel.control.rawValue, ChannelLabel.data.rawValue]

  /// The offer, with this machine's own addresses; ``gather(_:)`` finds the others.
  func offer(_ tracks: [LiveTrack]) throws -> (sdp: String, mids: [String: String]) {
    let timer = LoopTimer { [weak self] now in self?.assumeIsolated { $0.service(at: now) } }
    self.timer = timer
    loop.context.add(timer)
    let channels = RuntimeLink.channels.map { LiveChannel($0) }
    return try live.assumeIsolated { try $0.offer(tracks, channels: channels, servers: nil) }
  }

  func gather(_ servers: [ICE.ICEServer]) {
    live.assumeIsolated { $0.gather(servers) }
  }

  /// Takes the answer. Which generation of messages is spoken follows from what it mirrors.
  func setAnswer(_ sdp: String) throws {
    guard phase != .ended else { throw RequestFailure.disconnected }
    // The connection lives on this thread: without a hop no event can come between these steps.
    let (isNew, limit) = try live.assumeIsolated { live in
      try live.setAnswer(sdp)
      let session = live.session
      return (session?.chunking != nil || session?.frameMetadata == true, live.maxMessageSize)
    }
    // Where the answer names no limit (the 2.10 runtime's), RFC 8841's 65 536 holds: what is longer, that
    // runtime gets in pieces and drops without a word.
    let conversation = ClientConversation(
      generation: isNew ? .v1 : .v0, maxMessageSize: limit, timing: timing)
    self.conversation = conversation
    pump(at: MonotonicClock.now())
  }

  /// Returns when media flows and both channels are open.
  func waitUntilReady() async throws {
    switch phase {
    case .ready: return
    case .ended: throw RequestFailure.disconnected
    case .building: break
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { readiness.append($0) }
    } onCancel: {
      Task { await self.giveUpWaiting() }
    }
  }

  private func giveUpWaiting() {
    for waiter in readiness { waiter.resume(throwing: CancellationError()) }
    readiness.removeAll()
  }

  // MARK: Talking

  /// Sends a request and waits for what answers it.
  func request(
    _ send: @Sendable (ClientConversation, Instant) throws(RequestFailure) -> RequestToken
  ) async throws -> RequestReply {
    guard phase == .ready, let conversation else { throw RequestFailure.disconnected }
    let now = MonotonicClock.now()
    let token = try send(conversation, now)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        replies[token] = continuation
        pump(at: now)
      }
    } onCancel: {
      Task { await self.cancel(token) }
    }
  }

  private func cancel(_ token: RequestToken) {
    conversation?.cancel(token)
    pump(at: MonotonicClock.now())
  }

  /// Sends what expects no answer.
  func notify(_ payload: ClientFrame.Payload) throws {
    guard phase == .ready, let conversation else { throw RequestFailure.disconnected }
    try conversation.notify(payload)
    pump(at: MonotonicClock.now())
  }

  /// `notify` from any thread, in order with other such calls; failures show as a lost link.
  nonisolated func notifySoon(_ payload: ClientFrame.Payload) -> Bool {
    loop.submit { [weak self] in self?.assumeIsolated { try? $0.notify(payload) } }
  }

  func setReportHandler(_ handler: @escaping @Sendable () -> Void) {
    onReportDue = handler
  }

  func report(_ stats: ClientStats) {
    conversation?.report(stats)
    pump(at: MonotonicClock.now())
  }

  // MARK: End

  /// Ends everything; what waits fails with `failure`.
  func close(_ failure: RequestFailure) async {
    end(failure)
    await live.close()
  }

  private func end(_ failure: RequestFailure) {
    guard phase != .ended else { return }
    phase = .ended
    hasEnded.store(true, ordering: .releasing)
    conversation?.finish(failure)
    drainEvents()
    if let timer { loop.context.remove(timer) }
    timer = nil
    for waiter in readiness { waiter.resume(throwing: failure) }
    readiness.removeAll()
    for waiter in replies.values { waiter.resume(throwing: failure) }
    replies.removeAll()
  }

  // MARK: Events of the connection

  private func handle(_ event: LiveConnectionEvent) {
    guard phase != .ended else { return }
    let now = MonotonicClock.now()
    switch event {
    case .stateChanged(let state): stateChanged(state, at: now)
    case .localCandidate(let text, let mid, let index):
      onEvent(.localCandidate(text, mid: mid, index: index))
    case .endOfCandidates: onEvent(.endOfCandidates)
    case .channelOpened(let label):
      openChannels.insert(label)
      conversation?.channelOpened(ChannelLabel(label: label), at: now)
      becomeReadyIfPossible()
    case .message(let label, let bytes, let isText):
      conversation?.handle(
        WireMessage(channel: ChannelLabel(label: label), isText: isText, bytes: bytes), at: now)
    case .channelClosed(let label, let reason):
      openChannels.remove(label)
      conversation?.channelClosed(ChannelLabel(label: label))
      onEvent(.note("data channel \(label) closed: \(reason)"))
      // The runtime closes both when the session ends; the connection itself would go on for seconds.
      if openChannels.isEmpty, phase == .ready {
        lose(endReason ?? "the runtime closed the data channels")
        return
      }
    case .note(let text): onEvent(.note(text))
    }
    pump(at: now)
  }

  private func stateChanged(_ state: PeerConnectionState, at now: Instant) {
    peerState = state
    switch state {
    case .new, .connecting: break
    case .connected:
      silentSince = nil
      becomeReadyIfPossible()
    case .disconnected: silentSince = silentSince ?? now
    case .failed(let failure): lose("\(failure)")
    case .closed: lose(endReason ?? "the runtime closed the connection")
    }
  }

  private func becomeReadyIfPossible() {
    guard phase == .building, peerState == .connected, conversation != nil,
      openChannels.isSuperset(of: RuntimeLink.channels)
    else { return }
    phase = .ready
    for waiter in readiness { waiter.resume() }
    readiness.removeAll()
  }

  private func lose(_ reason: String) {
    let wasEnded = phase == .ended
    end(.disconnected)
    live.closeSoon()
    if !wasEnded { onEvent(.lost(reason: reason)) }
  }

  // MARK: Moving on

  private func service(at now: Instant) -> Instant? {
    guard phase != .ended else { return nil }
    if let silentSince, silentSince + RuntimeLink.silenceGrace <= now {
      lose("nothing has come from the runtime for some seconds")
      loop.context.serviceAgain()
      return nil
    }
    if let due = conversation?.nextTimeout(), due <= now {
      conversation?.handleTimeout(at: now)
      pump(at: now)
      loop.context.serviceAgain()
    }
    return Optional.earliest(
      conversation?.nextTimeout(), silentSince.map { $0 + RuntimeLink.silenceGrace })
  }

  private func pump(at now: Instant) {
    drainEvents()
    while let message = conversation?.nextTransmit() {
      // The connection lives on this thread: no hop, so that messages keep their order.
      do {
        try live.assumeIsolated { live in
          try live.send(message.bytes, isText: message.isText, on: message.channel.rawValue)
        }
      } catch {
        onEvent(.note("a message was not sent: \(error)"))
      }
    }
    drainEvents()
  }

  private func drainEvents() {
    while let event = conversation?.nextEvent() {
      switch event {
      case .settled(let token, let result):
        guard let waiter = replies.removeValue(forKey: token) else { continue }
        waiter.resume(with: result.mapError { $0 as any Error })
      case .message(let message): onEvent(.message(message.json))
      case .runtimeMessage(let type, let data):
        if type == "moderation", data["action"]?.stringValue == "terminate" {
          endReason = data["message"]?.stringValue ?? "the session was terminated"
        }
        onEvent(.runtimeMessage(["type": .string(type), "data": data]))
      case .modelError(let error): onEvent(.modelError(code: error.code, message: error.message))
      case .sessionEnded(let reason):
        endReason = reason
        onEvent(.runtimeMessage(["type": "sessionEnded", "data": ["reason": .string(reason)]]))
      case .reportDue: onReportDue?()
      case .dropped(_, let reason): onEvent(.note("a message was dropped: \(reason)"))
      }
    }
  }
}
