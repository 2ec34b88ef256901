import Media
import PeerConnection
import ReactorTypes
import ReactorWire
import SDP
import Synchronization
import WireFormat

/// One client's connection, on the runtime's side: an actor on the network thread.
actor RuntimeClient {
  /// Frames that come before both channels are open are kept, as the real runtime does, up to this many.
  private static let earlyLimit = 64

  nonisolated let id: UInt32
  nonisolated let live: LiveConnection
  private nonisolated let loop: NetworkLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let resumed = Mutex<Set<String>>([])

  private let model: any LocalModel
  private let session: LocalSession
  private let uploads: UploadStore
  private let slots: PublisherSlots
  private let pingLimit: Interval
  private let onEnd: @Sendable (RuntimeClient) -> Void
  private var latch = GenerationLatch()
  private var openChannels: Set<String> = []
  private var dataLabel = ChannelLabel.data.rawValue
  private var early: [WireMessage] = []
  private var isReady = false
  private var isEnded = false
  private var lastHeard = MonotonicClock.now()
  private var watchdog: LoopTimer?
  /// Commands of one client run one after the other.
  private var commandTail: Task<Void, Never>?

  init(
    id: UInt32, model: any LocalModel, session: LocalSession, uploads: UploadStore, slots: PublisherSlots,
    pingLimit: Interval, loop: NetworkLoop, frameThreads: FrameThreads,
    onEnd: @escaping @Sendable (RuntimeClient) -> Void
  ) {
    self.id = id
    self.model = model
    self.session = session
    self.uploads = uploads
    self.slots = slots
    self.pingLimit = pingLimit
    self.loop = loop
    self.onEnd = onEnd
    var configuration = LiveConnectionConfiguration()
    configuration.driver.includesLoopback = true
    let forward = LoopReference<RuntimeClient>()
    live = LiveConnection(configuration: configuration, loop: loop, frameThreads: frameThreads) { event in
      forward.object?.assumeIsolated { $0.handle(event) }
    }
    forward.object = self
  }

  // MARK: Signalling

  /// Answers an offer. `mapping` names the track of each mid, as the client says it.
  func answer(_ offer: String, mapping: [String: String]) async throws -> String {
    var tracks: [String: LiveTrack] = [:]
    for (mid, name) in mapping {
      guard let track = model.tracks.first(where: { $0.name == name }) else { continue }
      tracks[mid] = LiveTrack(
        name: name, kind: track.kind == .video ? .video : .audio, isSending: track.direction == .output)
    }
    let answer = try await live.answer(offer, tracks: tracks)
    for track in model.tracks where track.direction == .input { listen(to: track) }
    let watchdog = LoopTimer { [weak self] now in self?.assumeIsolated { $0.service(at: now) } }
    self.watchdog = watchdog
    loop.context.add(watchdog)
    return answer
  }

  private func listen(to track: LocalModelTrack) {
    let session = session
    let name = track.name
    switch track.kind {
    case .video: live.videoReceiver(name)?.setHandler { frame in session.received(frame, on: name) }
    case .audio: live.audioReceiver(name)?.setHandler { frame in session.received(frame, on: name) }
    }
  }

  func addCandidate(_ text: String) async {
    await live.addRemoteCandidate(text)
  }

  // MARK: Media

  nonisolated func isResumed(_ track: String) -> Bool { resumed.withLock { $0.contains(track) } }

  // MARK: Messages

  private func handle(_ event: LiveConnectionEvent) {
    guard !isEnded else { return }
    switch event {
    case .stateChanged(let state):
      switch state {
      case .new, .connecting: break
      case .connected: becomeReadyIfPossible()
      case .disconnected, .failed, .closed: end()
      }
    case .channelOpened(let label):
      openChannels.insert(label)
      if label != ChannelLabel.control.rawValue { dataLabel = label }
      becomeReadyIfPossible()
    case .channelClosed(let label, _): openChannels.remove(label)
    case .message(let label, let bytes, let isText):
      lastHeard = MonotonicClock.now()
      let message = WireMessage(channel: ChannelLabel(label: label), isText: isText, bytes: bytes)
      if isReady {
        receive(message)
      } else if early.count < RuntimeClient.earlyLimit {
        early.append(message)
      }
    case .localCandidate, .endOfCandidates, .note: break
    }
  }

  private func becomeReadyIfPossible() {
    guard !isReady, openChannels.contains(ChannelLabel.control.rawValue), openChannels.count >= 2 else {
      return
    }
    isReady = true
    session.add(self)
    let waiting = early
    early = []
    for message in waiting { receive(message) }
  }

  private func receive(_ message: WireMessage) {
    guard let generation = latch.hear(message),
      let frame = try? WireCodec.decodeClient(message, as: generation), let payload = frame.payload
    else { return }
    switch payload {
    case .ping, .clientStats, .error, .fileUploaded: break
    case .resumeTrack(let name):
      if model.tracks.contains(where: { $0.name == name && $0.direction == .output }) {
        resumed.withLock { _ = $0.insert(name) }
        live.videoSender(name)?.requestKeyframe()
      }
    case .pauseTrack(let name): resumed.withLock { _ = $0.remove(name) }
    case .publishTrack(let name):
      if slots.take(name, for: id) {
        reply(to: frame, .publishTrack(""), on: .control)
      } else {
        reply(
          to: frame, .error(RemoteError(code: "publish_refused", message: "track already published")),
          on: .control)
      }
    case .unpublishTrack(let name): slots.release(name, from: id)
    case .requestSchema: reply(to: frame, .modelSchema(SchemaDocument.make(model)), on: .control)
    case .requestClip, .requestRecording:
      reply(to: frame, .clipFailed(reason: "recorder disabled or encoder crashed"), on: .control)
    case .command(let command): run(command, frame)
    case .requestStep:
      reply(
        to: frame, .error(RemoteError(code: "step_refused", message: "this runtime does not step")), on: .data
      )
    }
  }

  private func run(_ command: Command, _ frame: ClientFrame) {
    var arguments = command.data
    for (name, reference) in command.uploads { arguments[name] = reference.json }
    guard let declared = model.commands.first(where: { $0.name == command.type }) else {
      return refuse(frame, "invalid_command", "unknown command")
    }
    if let refusal = CommandCheck.refusal(arguments, declared) {
      return refuse(frame, "invalid_command", refusal)
    }
    let previous = commandTail
    commandTail = Task {
      await previous?.value
      await self.execute(declared, arguments, frame)
    }
  }

  private func execute(
    _ command: LocalModelCommand, _ arguments: [String: JSONValue], _ frame: ClientFrame
  ) async {
    var files: [String: [UInt8]] = [:]
    for parameter in command.parameters where parameter.kind == .upload {
      guard let id = arguments[parameter.name]?["upload_id"]?.stringValue else { continue }
      guard let bytes = await uploads.bytes(id, patience: .seconds(10)) else {
        return refuse(
          frame, "unresolved_upload", "command '\(command.name)' references an unresolved upload")
      }
      files[parameter.name] = bytes
    }
    do {
      let answer = try await model.handle(
        LocalModelCall(command: command.name, arguments: arguments, uploads: files), in: session)
      reply(to: frame, answer.map { .message(ModelMessage($0.type, $0.data)) }, on: .data)
    } catch let error as LocalModelError {
      refuse(frame, error.code, error.message)
    } catch {
      refuse(frame, "internal_error", "The handler raised an unexpected error.")
    }
  }

  private func refuse(_ frame: ClientFrame, _ code: String, _ message: String) {
    reply(to: frame, .error(RemoteError(code: code, message: message)), on: .data)
  }

  private func reply(to frame: ClientFrame, _ payload: ServerFrame.Payload?, on channel: ChannelLabel) {
    send(.response(to: frame.requestID, payload), on: channel)
  }

  private func send(_ frame: ServerFrame, on channel: ChannelLabel) {
    guard !isEnded, let message = WireCodec.encode(frame, as: latch.current, answering: channel) else {
      return
    }
    sendRaw(message.bytes, isText: message.isText, on: message.channel)
  }

  private func sendRaw(_ bytes: [UInt8], isText: Bool, on channel: ChannelLabel) {
    let label = channel == .control ? ChannelLabel.control.rawValue : dataLabel
    // What does not fit is dropped, as the real runtime does.
    try? live.assumeIsolated { try $0.send(bytes, isText: isText, on: label) }
  }

  /// A message of the model's own, in order with other such calls.
  nonisolated func sendSoon(_ message: LocalModelMessage) {
    loop.submit { [weak self] in
      self?.assumeIsolated {
        $0.send(.notification(.message(ModelMessage(message.type, message.data))), on: .data)
      }
    }
  }

  // MARK: Faults and the end

  /// Sends bytes that are no message.
  func sendGarbage() {
    sendRaw([0xFF, 0xFF, 0x00, 0x13, 0x37], isText: false, on: .data)
  }

  /// Tells the client that the session is over, and why. Returns when the words have left, or cannot.
  func tellEnd(reason: String?, isModeration: Bool) async {
    guard reason != nil || isModeration else { return }
    // A client is ready a moment before its channels and its first frame, which says how it talks, are here.
    await wait { isReady && latch.latched != nil }
    if isModeration {
      let text = "Session terminated due to policy violation."
      send(
        .notification(.moderation(Moderation(json: ["action": "terminate", "message": .string(text)]))),
        on: .control)
    } else if let reason {
      send(.notification(.sessionEnded(reason: reason)), on: .control)
    }
    let live = live
    await wait { live.assumeIsolated { $0.bufferedAmount(of: ChannelLabel.control.rawValue) == 0 } }
  }

  /// Half a second at most: a client that is gone must not hold up the session's end.
  private func wait(_ condition: () -> Bool) async {
    for _ in 0..<100 {
      if isEnded || condition() { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  func close() async {
    end()
    await live.close()
  }

  /// Another connection takes this one's place under the same id. What it publishes stays taken, as with the
  /// real runtime.
  func supersede() async {
    end(keepsSlots: true)
    await live.close()
  }

  /// Stops without a word, as a machine does that loses its power.
  func vanish() async {
    isEnded = true
    session.remove(self)
    slots.releaseAll(from: id)
    await live.abandon()
  }

  private func end(keepsSlots: Bool = false) {
    guard !isEnded else { return }
    isEnded = true
    if let watchdog { loop.context.remove(watchdog) }
    session.remove(self)
    if !keepsSlots { slots.releaseAll(from: id) }
    live.closeSoon()
    onEnd(self)
  }

  private func service(at now: Instant) -> Instant? {
    guard !isEnded, isReady, pingLimit > .zero else { return nil }
    let due = lastHeard + pingLimit
    if due <= now {
      end()
      loop.context.serviceAgain()
      return nil
    }
    return due
  }
}
