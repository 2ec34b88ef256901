import ReactorTypes
import WireFormat

/// A client's talk with a runtime over the two data channels of one connection: ids, deadlines, replies, pings.
///
/// A machine without clock, thread or channel. Call one method, then drain ``nextTransmit()``, ``nextEvent()``
/// and ``nextTimeout()``. One owner. A reconnect takes a new one.
///
/// Bounded: at most ``maxPending`` requests wait at a time, and further ones fail at once.
package final class ClientConversation {
  package static let maxPending = 4096

  package let generation: WireGeneration
  private let timing: ConversationTiming
  /// The largest message that may be sent, before chunking.
  package var maxMessageSize: Int

  private var openChannels: Set<ChannelLabel> = []
  private var isStarted = false
  private var isFinished = false
  private var pending = PendingRequests()
  private var nextToken: UInt64 = 0
  private var lastID: [ChannelLabel: UInt64] = [:]
  private var pingDue: Instant?
  private var reportDue: Instant?
  private var transmits = FIFO<WireMessage>()
  private var events = FIFO<ConversationEvent>()

  /// - Parameters:
  ///   - generation: what the connection speaks, see ``PlatformExtensions/generation``.
  ///   - maxMessageSize: the other side's limit: that of chunking, else its `a=max-message-size`, else 65 536.
  package init(
    generation: WireGeneration, maxMessageSize: Int, timing: ConversationTiming = ConversationTiming()
  ) {
    self.generation = generation
    self.maxMessageSize = maxMessageSize
    self.timing = timing
  }

  // MARK: Life

  /// A channel is open. The control channel's opening starts the pings; open it first, and send nothing on
  /// `data` before: the runtime takes the first frame it hears for the connection's generation.
  package func channelOpened(_ channel: ChannelLabel, at now: Instant) {
    guard !isFinished else { return }
    openChannels.insert(channel)
    let pingChannel: ChannelLabel = generation == .v1 ? .control : .data
    guard channel == pingChannel, !isStarted else { return }
    isStarted = true
    switch generation {
    case .v1:
      enqueue(.notification(.ping))
      pingDue = now + timing.pingInterval
      reportDue = timing.reportInterval.map { now + $0 }
    case .v0:
      pingDue = now + timing.legacyPingInterval
    }
  }

  /// A channel closed: what is sent on it fails from now on.
  package func channelClosed(_ channel: ChannelLabel) {
    openChannels.remove(channel)
  }

  /// The connection is over: all that waits fails with `failure`, nothing is sent any more.
  package func finish(_ failure: RequestFailure) {
    guard !isFinished else { return }
    isFinished = true
    openChannels = []
    transmits.removeAll()
    pingDue = nil
    reportDue = nil
    for token in pending.removeAll() { events.append(.settled(token, .failure(failure))) }
  }

  // MARK: Requests

  /// Sends a command. In the JSON generation it is settled at once, since nothing answers it.
  ///
  /// - Parameter timeout: nil: the timing's, which is longer when `command` names an upload.
  package func send(
    _ command: Command, timeout: Interval? = nil, at now: Instant
  ) throws(RequestFailure) -> RequestToken {
    guard JSONValue.object(command.data).isRepresentable() else { throw .notRepresentable }
    let limit = timeout ?? (command.uploads.isEmpty ? timing.requestTimeout : timing.uploadCommandTimeout)
    let token = try request(.command(command), .command, timeout: limit, at: now)
    if generation == .v0 {
      pending.remove(token)
      events.append(.settled(token, .success(.command(nil))))
    }
    return token
  }

  /// Asks for the schema document.
  package func requestSchema(at now: Instant) throws(RequestFailure) -> RequestToken {
    try request(.requestSchema, .schema, timeout: timing.requestTimeout, at: now)
  }

  /// Asks for a clip of the last `seconds`.
  package func requestClip(seconds: Double, at now: Instant) throws(RequestFailure) -> RequestToken {
    guard seconds.isFinite else { throw .notRepresentable }
    return try request(.requestClip(seconds: seconds), .clip, timeout: timing.requestTimeout, at: now)
  }

  /// Asks for the whole recording.
  package func requestRecording(at now: Instant) throws(RequestFailure) -> RequestToken {
    try request(.requestRecording, .clip, timeout: timing.requestTimeout, at: now)
  }

  /// Asks for the slot of the input track `name`.
  package func publish(_ name: String, at now: Instant) throws(RequestFailure) -> RequestToken {
    try request(.publishTrack(name), .publish, timeout: timing.requestTimeout, at: now)
  }

  /// Asks for one step.
  package func requestStep(
    _ step: StepRequest, timeout: Interval? = nil, at now: Instant
  ) throws(RequestFailure) -> RequestToken {
    let values = step.commands.map { JSONValue.object($0.data) } + [.object(step.state ?? [:])]
    guard values.allSatisfy({ $0.isRepresentable() }) else { throw .notRepresentable }
    return try request(.requestStep(step), .step, timeout: timeout ?? timing.stepTimeout, at: now)
  }

  /// Gives up on a request; a reply that still comes is reported as a message.
  package func cancel(_ token: RequestToken) {
    if pending.remove(token) { events.append(.settled(token, .failure(.aborted))) }
  }

  /// Sends what expects no answer: pause, resume, unpublish, an uploaded file.
  package func notify(_ payload: ClientFrame.Payload) throws(RequestFailure) {
    try transmit(.notification(payload))
  }

  /// Sends a quality report. Does nothing where the generation has none, or when it does not fit.
  package func report(_ stats: ClientStats) {
    try? transmit(.notification(.clientStats(stats)))
  }

  private func request(
    _ payload: ClientFrame.Payload, _ purpose: PendingRequests.Purpose, timeout: Interval, at now: Instant
  ) throws(RequestFailure) -> RequestToken {
    guard pending.count < ClientConversation.maxPending else {
      throw .tooMany(limit: ClientConversation.maxPending)
    }
    var frame = ClientFrame(kind: .request, payload: payload)
    let channel = ProtobufWire.channel(of: payload)
    // In the JSON generation only publish requests carry an id.
    let hasID = generation == .v1 || purpose == .publish
    let number = (lastID[channel] ?? 0) + 1
    if hasID { frame.requestID = "\(channel == .data ? "data" : "ctrl")_\(number)" }
    try transmit(frame)
    if hasID { lastID[channel] = number }
    nextToken += 1
    let token = RequestToken(rawValue: nextToken)
    pending.insert(
      PendingRequests.Entry(
        token: token, purpose: purpose, channel: channel, id: hasID ? frame.requestID : nil,
        deadline: now + timeout))
    return token
  }

  private func transmit(_ frame: ClientFrame) throws(RequestFailure) {
    guard let message = WireCodec.encode(frame, as: generation) else { throw .unsupported }
    guard openChannels.contains(message.channel) else { throw .channelClosed }
    guard message.bytes.count <= maxMessageSize else {
      throw .tooLarge(size: message.bytes.count, limit: maxMessageSize)
    }
    transmits.append(message)
  }

  private func enqueue(_ frame: ClientFrame) {
    try? transmit(frame)
  }

  // MARK: Input

  /// A whole message arrived on `message.channel`.
  package func handle(_ message: WireMessage, at now: Instant) {
    guard !isFinished else { return }
    let frame: ServerFrame
    do {
      frame = try WireCodec.decodeServer(message)
    } catch {
      events.append(.dropped(channel: message.channel, reason: "\(error)"))
      return
    }
    pending.forgetLapsed(at: now)
    let match = pending.match(frame, channel: message.channel)
    announce(frame, channel: message.channel, isMatched: match != nil)
    if let match { settle(match, with: frame) }
  }

  // What the user's handlers see, before the call that was waiting resumes.
  private func announce(_ frame: ServerFrame, channel: ChannelLabel, isMatched: Bool) {
    switch frame.payload {
    case .message(let message): events.append(.message(message))
    case .clipReady(let clip): events.append(.runtimeMessage(type: "clipReady", data: clip.json))
    case .clipFailed(let reason):
      events.append(.runtimeMessage(type: "clipFailed", data: ["reason": .string(reason)]))
    case .moderation(let moderation):
      events.append(.runtimeMessage(type: "moderation", data: moderation.json))
    case .other(let type, let data): events.append(.runtimeMessage(type: type, data: data))
    case .sessionEnded(let reason): events.append(.sessionEnded(reason: reason))
    case .error(let error) where !isMatched:
      if channel == .data {
        events.append(.modelError(error))
      } else {
        events.append(.dropped(channel: channel, reason: "error \(error.code) for no request"))
      }
    case .error, .modelSchema, .publishTrack, .stepResult, nil: break
    }
  }

  private func settle(_ entry: PendingRequests.Entry, with frame: ServerFrame) {
    let result: Result<RequestReply, RequestFailure>
    switch (entry.purpose, frame.payload) {
    case (_, .error(let error)): result = .failure(.remote(error))
    case (.command, .message(let message)): result = .success(.command(message))
    case (.command, nil): result = .success(.command(nil))
    case (.schema, .modelSchema(let document)):
      result = document.objectValue == nil ? .failure(.undecodable) : .success(.schema(document))
    case (.clip, .clipReady(let clip)):
      result = clip.playlistURL.isEmpty ? .failure(.undecodable) : .success(.clip(clip))
    case (.clip, .clipFailed(let reason)): result = .failure(.clipFailed(reason: reason))
    case (.publish, .publishTrack): result = .success(.published)
    case (.step, .stepResult(let outcome)): result = .success(.step(outcome))
    case (.step, _), (.command, _): result = .failure(.undecodable)
    // An empty or foreign payload is no answer to these: they go on waiting.
    case (.schema, _), (.clip, _), (.publish, _): return
    }
    pending.remove(entry.token)
    events.append(.settled(entry.token, result))
  }

  // MARK: Output

  /// The next message to send, in order. Chunk it if the connection does.
  package func nextTransmit() -> WireMessage? {
    transmits.popFirst()
  }

  package func nextEvent() -> ConversationEvent? {
    events.popFirst()
  }

  /// When to call ``handleTimeout(at:)`` next.
  package func nextTimeout() -> Instant? {
    Instant?.earliest(pending.nextDeadline, .earliest(pingDue, reportDue))
  }

  package func handleTimeout(at now: Instant) {
    for token in pending.expire(at: now) { events.append(.settled(token, .failure(.timedOut))) }
    if let due = pingDue, due <= now {
      enqueue(.notification(.ping))
      pingDue = next(
        after: due, every: generation == .v1 ? timing.pingInterval : timing.legacyPingInterval, now)
    }
    if let due = reportDue, let interval = timing.reportInterval, due <= now {
      events.append(.reportDue)
      reportDue = next(after: due, every: interval, now)
    }
  }

  // Keeps the beat, but never owes more than one after a long sleep.
  private func next(after due: Instant, every interval: Interval, _ now: Instant) -> Instant {
    max(due + interval, now + interval / 2)
  }
}
