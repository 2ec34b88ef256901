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

  func connect(_ attempt: LifecycleAttempt, sessionID: String?, connectionID: UInt32?) async throws {
    WarmUp.begin()
    let found: SessionDescriptor
    attempt.entered(.session)
    if let sessionID {
      found = try await signaling.session(sessionID)
    } else {
      found = try await signaling.createSession(
        SessionRequest(
          model: model, generation: configuration.generation, extraArguments: configuration.extraArguments))
    }
    attempt.found(SessionRecord(id: found.id, isOwner: sessionID == nil))
    attempt.entered(.description)
    async let earlyServers = try? signaling.iceServers(session: found.id)
    async let earlyOffer = earlyOffer(attempt)
    let session = try await signaling.readySession(found.id, known: found)
    try checkGeneration(session)
    guard let capabilities = session.capabilities else {
      throw ReactorError(.decodeFailed, "the session declares no capabilities")
    }
    attempt.declared(capabilities)
    let connection = Task { try await register(connectionID, session: found.id) }
    defer { connection.cancel() }
    attempt.entered(.servers)
    let offer: PreparedOffer
    if let known = await earlyOffer, known.tracks == capabilities.tracks {
      offer = known
    } else {
      // No tracks were known, or others than these: what was built for them is of no use.
      await attempt.closeLink()
      offer = try await prepare(attempt, tracks: capabilities.tracks)
    }
    // Some runtimes have no servers to name before the session is ready.
    if let servers = await earlyServers {
      await gather(servers, for: offer)
    } else {
      await gather(try await signaling.iceServers(session: found.id), for: offer)
    }
    try await build(attempt, offer, session: found.id, connection: connection, replaces: false)
  }

  /// A new transport for the session that there is, on the connection that is registered.
  func reconnect(_ attempt: LifecycleAttempt, session: SessionRecord) async throws {
    attempt.found(session)
    guard let capabilities = session.capabilities else {
      throw ReactorError(.invalidState, "the session was never ready; connect instead")
    }
    attempt.entered(.servers)
    let servers = try await signaling.iceServers(session: session.id)
    let known = session.connectionID
    let connection = Task { try await register(known, session: session.id) }
    defer { connection.cancel() }
    let offer = try await prepare(attempt, tracks: capabilities.tracks)
    await gather(servers, for: offer)
    try await build(attempt, offer, session: session.id, connection: connection, replaces: known != nil)
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

  // MARK: Offer

  /// A connection that has made its offer.
  private struct PreparedOffer: Sendable {
    let link: RuntimeLink
    let sdp: String
    let mids: [String: String]
    let candidates: CandidateQueue
    let tracks: [Capabilities.TrackCapability]
  }

  /// The offer for the tracks that the app knows, made while the session starts.
  private func earlyOffer(_ attempt: LifecycleAttempt) async -> PreparedOffer? {
    guard let tracks = configuration.knownTracks else { return nil }
    return try? await prepare(attempt, tracks: tracks)
  }

  private func prepare(
    _ attempt: LifecycleAttempt, tracks: [Capabilities.TrackCapability]
  ) async throws -> PreparedOffer {
    let candidates = CandidateQueue()
    let link = try makeLink(candidates)
    attempt.building(link)
    let offered = tracks.map { track in
      LiveTrack(
        name: track.name, kind: track.kind == .video ? .video : .audio,
        isSending: track.direction == .sendonly)
    }
    let (sdp, mids) = try await link.offer(offered)
    await bitrate.apply(to: link.live)
    return PreparedOffer(link: link, sdp: sdp, mids: mids, candidates: candidates, tracks: tracks)
  }

  // MARK: Transport

  private func build(
    _ attempt: LifecycleAttempt, _ offer: PreparedOffer, session: String,
    connection: Task<UInt32, any Error>, replaces: Bool
  ) async throws {
    let (link, candidates, mids) = (offer.link, offer.candidates, offer.mids)
    tracks.attach(link.live, mids: mids, client: owner)
    for one in tracks.bitrates {
      await link.live.setBitrateBounds(minimum: one.minimum, maximum: one.maximum, of: one.name)
    }
    let mapping = offer.tracks.compactMap { track in
      mids[track.name].map {
        TrackMapping(mid: $0, name: track.name, kind: track.kind, direction: track.direction)
      }
    }
    attempt.entered(.registration)
    let id = try await withTaskCancellationHandler {
      try await connection.value
    } onCancel: {
      connection.cancel()
    }
    attempt.registered(connectionID: id)
    let trickle = Task {
      await send(candidates, session: session, connection: id)
    }
    defer { trickle.cancel() }
    // Candidates that reach the runtime between a replacing offer and its answer are lost: they wait.
    if !replaces { candidates.open() }
    attempt.entered(.offer)
    try await signaling.sendOffer(
      offer.sdp, mapping: mapping, session: session, connection: id, replaces: replaces)
    attempt.entered(.answer)
    let previous = replaces ? network.lastAnswerUfrag : nil
    let answer = try await signaling.answer(session: session, connection: id) { answer in
      previous != nil && ConnectProcedure.ufrag(of: answer.sdp) == previous
    }
    candidates.open()
    network.lastAnswerUfrag = ConnectProcedure.ufrag(of: answer.sdp)
    if answer.connectionID != id { attempt.registered(connectionID: answer.connectionID) }
    attempt.entered(.transport)
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
      for track in offer.tracks where track.direction == .recvonly {
        try await link.notify(.resumeTrack(track.name))
      }
    }
    try attempt.succeeded(link)
  }

  private func gather(_ servers: [Signaling.ICEServer], for offer: PreparedOffer) async {
    await offer.link.gather(
      servers.compactMap { server in
        let uris = server.uris.compactMap { try? ICEServerURI($0) }
        guard !uris.isEmpty else { return nil }
        return ICE.ICEServer(uris: uris, username: server.username, password: server.password)
      })
  }

  private func makeLink(_ candidates: CandidateQueue) throws -> RuntimeLink {
    var live = LiveConnectionConfiguration()
    live.driver.includesLoopback = signaling.endpoint.isLocal
    var timing = ConversationTiming()
    timing.requestTimeout = Interval(configuration.commandTimeout)
    timing.uploadCommandTimeout = max(timing.uploadCommandTimeout, timing.requestTimeout + .seconds(5))
    timing.stepTimeout = Interval(configuration.stepTimeout)
    let holder = Mutex<WeakLinkBox>(WeakLinkBox())
    let link = RuntimeLink(
      configuration: live, timing: timing, loop: try network.loop(), frameThreads: network.frameThreads
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
