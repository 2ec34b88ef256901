import Media
import PeerConnection
import ICE
import ReactorTypes
import ReactorWire
import Signaling
import Synchronization
import WireFormat

/// The steps from nothing to ready: HTTP with the coordinator, and the connection that it negotiates.
///
/// What does not depend on one another runs side by side: the ICE servers are fetched and the connection is
/// registered while the session becomes ready, and candidates travel while the answer is awaited.
struct ConnectProcedure: Sendable {
  let signaling: SignalingClient
  let configuration: ReactorConfiguration
  let model: String
  let tracks: TrackRegistry
  let owner: WeakClient
  let network: ClientNetwork
  let bitrate: ConnectionBitrate
  let onEvent: @Sendable (RuntimeLink, RuntimeLinkEvent) -> Void

  // MARK: Connect

  func connect(_ attempt: Lifecycle.Attempt, sessionID: String?, connectionID: UInt32?) async throws {
    let found: SessionDescriptor
    if let sessionID {
      found = try await signaling.session(sessionID)
    } else {
      found = try await signaling.createSession(
        SessionRequest(
          model: model, generation: configuration.generation, extraArguments: configuration.extraArguments))
    }
    let record = SessionRecord(id: found.id, isOwner: sessionID == nil)
    attempt.found(record)
    async let early = try? signaling.iceServers(session: found.id)
    let session = try await signaling.readySession(found.id, known: found)
    try checkGeneration(session)
    guard let capabilities = session.capabilities else {
      throw ReactorError(.decodeFailed, "the session declares no capabilities")
    }
    attempt.declared(capabilities)
    let connection = Task { try await register(connectionID, session: found.id) }
    defer { connection.cancel() }
    let servers: [Signaling.ICEServer]
    if let known = await early {
      servers = known
    } else {
      servers = try await signaling.iceServers(session: found.id)
    }
    try await build(
      attempt, session: found.id, connection: connection, servers: servers, declared: capabilities.tracks,
      replaces: false)
  }

  /// A new transport for the session that there is, on the connection that is registered.
  func reconnect(_ attempt: Lifecycle.Attempt, session: SessionRecord) async throws {
    attempt.found(session)
    guard let capabilities = session.capabilities else {
      throw ReactorError(.invalidState, "the session was never ready; connect instead")
    }
    let servers = try await signaling.iceServers(session: session.id)
    let known = session.connectionID
    let connection = Task { try await register(known, session: session.id) }
    defer { connection.cancel() }
    try await build(
      attempt, session: session.id, connection: connection, servers: servers, declared: capabilities.tracks,
      replaces: known != nil)
  }

  private func register(_ known: UInt32?, session: String) async throws -> UInt32 {
    if let known { return known }
    return try await signaling.registerConnection(session: session)
  }

  private func checkGeneration(_ session: SessionDescriptor) throws {
    guard configuration.generation == .stepped, session.generation != GenerationMode.stepped.rawValue else {
      return
    }
    throw ReactorError(
      .generationModeMismatch,
      "a stepped session was asked for, the runtime started a \(session.generation ?? "streamed") one")
  }

  // MARK: Transport

  private func build(
    _ attempt: Lifecycle.Attempt, session: String, connection: Task<UInt32, any Error>,
    servers: [Signaling.ICEServer], declared: [Capabilities.TrackCapability], replaces: Bool
  ) async throws {
    let candidates = CandidateQueue()
    let link = try makeLink(servers, candidates: candidates)
    attempt.building(link)
    let offered = declared.map { track in
      LiveTrack(
        name: track.name, kind: track.kind == .video ? .video : .audio,
        isSending: track.direction == .sendonly)
    }
    let (offer, mids) = try await link.offer(offered)
    await bitrate.apply(to: link.live)
    tracks.attach(link.live, mids: mids, client: owner)
    for one in tracks.bitrates {
      await link.live.setBitrateBounds(minimum: one.minimum, maximum: one.maximum, of: one.name)
    }
    let mapping = declared.compactMap { track in
      mids[track.name].map {
        TrackMapping(mid: $0, name: track.name, kind: track.kind, direction: track.direction)
      }
    }
    let id = try await connection.value
    attempt.registered(connectionID: id)
    let trickle = Task {
      await send(candidates, session: session, connection: id)
    }
    defer { trickle.cancel() }
    // Candidates that reach the runtime between a replacing offer and its answer are lost: they wait.
    if !replaces { candidates.open() }
    try await signaling.sendOffer(
      offer, mapping: mapping, session: session, connection: id, replaces: replaces)
    let previous = replaces ? network.lastAnswerUfrag : nil
    let answer = try await signaling.answer(session: session, connection: id) { answer in
      previous != nil && ConnectProcedure.ufrag(of: answer.sdp) == previous
    }
    candidates.open()
    network.lastAnswerUfrag = ConnectProcedure.ufrag(of: answer.sdp)
    if answer.connectionID != id { attempt.registered(connectionID: answer.connectionID) }
    try await link.setAnswer(answer.sdp)
    try await checkChunking(link)
    for track in tracks.all(client: owner) where track.direction == .recvonly { attempt.announce(track) }
    try await waitUntilReady(link)
    // What the connection published before it was replaced stays taken, for itself as well.
    if replaces {
      for track in tracks.all(client: owner) where track.direction == .sendonly {
        try await link.notify(.unpublishTrack(track.name))
      }
    }
    if configuration.autoResumeTracks {
      for track in declared where track.direction == .recvonly {
        try await link.notify(.resumeTrack(track.name))
      }
    }
    try attempt.succeeded(link)
  }

  private func makeLink(_ servers: [Signaling.ICEServer], candidates: CandidateQueue) throws -> RuntimeLink {
    var live = LiveConnectionConfiguration()
    live.connection.iceServers = servers.compactMap { server in
      let uris = server.uris.compactMap { try? ICEServerURI($0) }
      guard !uris.isEmpty else { return nil }
      return ICE.ICEServer(uris: uris, username: server.username, password: server.password)
    }
    live.driver.includesLoopback = signaling.endpoint.isLocal
    var timing = ConversationTiming()
    timing.requestTimeout = Interval(configuration.commandTimeout)
    timing.uploadCommandTimeout = max(timing.uploadCommandTimeout, timing.requestTimeout + .seconds(5))
    timing.stepTimeout = Interval(configuration.stepTimeout)
    let holder = Mutex<WeakLinkBox>(WeakLinkBox())
    let link = RuntimeLink(
      configuration: live, timing: timing, loop: try network.loop(), delivery: network.delivery
    ) { [onEvent] event in
      switch event {
      case .localCandidate(let text, let mid, let index):
        candidates.add(TrickledCandidate(candidate: text, mid: mid, mLineIndex: index))
      case .endOfCandidates: candidates.finish()
      default:
        if let link = holder.withLock({ $0.link }) { onEvent(link, event) }
      }
    }
    holder.withLock { $0.link = link }
    return link
  }

  private struct WeakLinkBox {
    weak var link: RuntimeLink?
  }

  private func send(_ candidates: CandidateQueue, session: String, connection: UInt32) async {
    for await batch in candidates.batches {
      // The runtime connects by what the offer holds and by our checks; a lost batch costs little.
      if !batch.candidates.isEmpty {
        try? await signaling.sendCandidates(
          batch.candidates, isFinal: false, session: session, connection: connection)
      }
      if batch.isFinal {
        try? await signaling.sendCandidates([], isFinal: true, session: session, connection: connection)
      }
    }
  }

  private func checkChunking(_ link: RuntimeLink) async throws {
    guard configuration.generation == .stepped, await link.live.session?.chunking == nil else { return }
    throw ReactorError(
      .dataChannelChunkingRequired,
      "a stepped session needs message chunking, which the runtime did not accept")
  }

  private func waitUntilReady(_ link: RuntimeLink) async throws {
    let limit = configuration.readyTimeout
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await link.waitUntilReady() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw ReactorError(
          .requestTimeout, "transport readiness: the connection did not come up within \(limit)")
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func ufrag(of sdp: String) -> Substring? {
    sdp.split(whereSeparator: \.isNewline).first { $0.hasPrefix("a=ice-ufrag:") }
  }
}
