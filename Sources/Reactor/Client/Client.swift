#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Media
import PeerConnection
import ReactorTypes
import ReactorWire
import Signaling
import WireFormat

/// What a `Reactor` is made of: it owns the parts and hands each call to the one that it concerns.
///
/// Tracks and tasks hold it weakly or for the length of a call, so that the last `Reactor` reference ends it.
final class Client: Sendable {
  let events: EventHub
  let tracks = TrackRegistry()
  let lifecycle: Lifecycle
  let calls = CallsInFlight()
  let log = SessionLog()
  let weak = WeakClient()
  let model: String
  private let configuration: ReactorConfiguration
  let signaling: SignalingClient
  private let network = ClientNetwork()
  private let bitrate = ConnectionBitrate()
  private let meter = StatisticsMeter()
  private let transport: CurlTransport?

  init(
    model: String, tokens: (any TokenStore)?, configuration: ReactorConfiguration, dispatcher: EventDispatcher
  ) throws {
    guard !model.isEmpty else {
      throw ReactorError(.badRequest, "the model name is empty; use owner/name", operation: "create")
    }
    guard let endpoint = Endpoint(apiURL: configuration.apiURL, isLocal: configuration.local) else {
      throw ReactorError(.badRequest, "the API URL must be an http or https URL", operation: "create")
    }
    self.model = model
    self.configuration = configuration
    var trust = HTTPTrust()
    // A local runtime may have a certificate of its own making; only loopback is believed without one.
    trust.trustsLoopback = configuration.local
    let builtIn = configuration.http == nil ? CurlTransport(trust: trust) : nil
    transport = builtIn
    let http: any HTTPTransport = configuration.http ?? builtIn ?? CurlTransport(trust: trust)
    let signaling = SignalingClient(
      endpoint: endpoint, model: model, transport: http, tokens: tokens, fallbackToken: configuration.jwt,
      defaults: configuration.requests, connectivity: configuration.connectivity,
      lifecycle: configuration.lifecycle)
    self.signaling = signaling
    events = EventHub(dispatcher: dispatcher)
    lifecycle = Lifecycle(events: events, tracks: tracks, calls: calls, log: log) { [log] session in
      do {
        try await signaling.endSession(session)
      } catch {
        let reason = ReactorError.from(error, operation: "disconnect").message
        log.record("the session could not be ended: \(reason)", level: .warning)
      }
    }
    weak.set(self)
  }

  var isClosed: Bool { lifecycle.isClosed }

  // MARK: Life

  private var procedure: ConnectProcedure {
    ConnectProcedure(
      signaling: signaling, configuration: configuration, model: model, tracks: tracks, owner: weak,
      network: network, bitrate: bitrate
    ) { [weak self] link, event in self?.handle(event, of: link) }
  }

  func connect(sessionID: String?, connectionID: UInt32?) async throws {
    let procedure = procedure
    try await lifecycle.connect { attempt in
      try await procedure.connect(attempt, sessionID: sessionID, connectionID: connectionID)
    }
    meter.reset()
    await startReports()
  }

  func reconnect() async throws {
    let procedure = procedure
    try await lifecycle.reconnect { [lifecycle] attempt in
      guard let session = lifecycle.session else {
        throw ReactorError(.invalidState, "there is no session to reconnect to")
      }
      try await procedure.reconnect(attempt, session: session)
    }
    meter.reset()
    await startReports()
  }

  func disconnect() async throws {
    try await lifecycle.disconnect()
  }

  /// From any thread, also from inside a handler: waits for nothing but threads that are not the caller's.
  func close() {
    let (isFirst, link, attempt) = lifecycle.close()
    guard isFirst else { return }
    calls.close()
    tracks.removeAllHandlers()
    events.close()
    let network = network
    let transport = transport
    Task {
      await link?.close(.aborted)
      _ = await attempt?.result
      network.close()
      transport?.close()
    }
  }

  private func handle(_ event: RuntimeLinkEvent, of link: RuntimeLink) {
    switch event {
    case .localCandidate, .endOfCandidates: break
    case .message(let message): events.post(message, to: events.messages)
    case .runtimeMessage(let message): events.post(message, to: events.runtimeMessages)
    case .modelError(let code, let message):
      lifecycle.post(ReactorError(code: .init(rawValue: code), message: message, recoverable: true))
    case .lost(let reason): lifecycle.lost(link, reason: reason)
    case .note(let text): log.record(text, level: .debug)
    }
  }

  // MARK: Requests

  private func request(
    _ operation: String,
    _ send: @Sendable (ClientConversation, Instant) throws(RequestFailure) -> RequestToken
  ) async throws -> RequestReply {
    let link = try lifecycle.readyLink(operation)
    do {
      return try await link.request(send)
    } catch RequestFailure.disconnected where isClosed {
      throw ReactorError(.aborted, "the client was closed", operation: operation)
    } catch {
      let failure = ReactorError.from(error, operation: operation)
      // A send that a closed channel refused is news for everybody, as on every official client.
      if case RequestFailure.channelClosed = error { lifecycle.post(failure) }
      throw failure
    }
  }

  private func notify(_ payload: ClientFrame.Payload, _ operation: String) async throws {
    let link = try lifecycle.readyLink(operation)
    do { try await link.notify(payload) } catch { throw ReactorError.from(error, operation: operation) }
  }

  func sendCommand(
    _ name: String, _ arguments: JSONValue?, uploads: [String: FileRef]
  ) async throws -> CommandReply? {
    guard let members = (arguments ?? .object([:])).objectValue else {
      throw ReactorError(
        .badRequest, "the arguments of '\(name)' must be a JSON object", operation: "send_command")
    }
    let command = Command(name, members, uploads: uploads)
    let reply = try await request("send_command") { conversation, now throws(RequestFailure) in
      try conversation.send(command, at: now)
    }
    guard case .command(let message) = reply, let message else { return nil }
    return CommandReply(type: message.type, data: message.data)
  }

  func requestSchema() async throws -> JSONValue {
    let reply = try await request("request_schema") { conversation, now throws(RequestFailure) in
      try conversation.requestSchema(at: now)
    }
    guard case .schema(let document) = reply else {
      throw ReactorError(.decodeFailed, "the runtime sent no schema document", operation: "request_schema")
    }
    return document
  }

  // MARK: Uploads

  func upload(file: URL, name: String?, mimeType: String?, options: RequestOptions) async throws -> FileRef {
    let session = try readySession("upload_file")
    let reference = try await calls.run("upload_file", bondedTo: .session) { [signaling] in
      try await signaling.upload(
        file: file, name: name, mimeType: mimeType, session: session, options: options)
    }
    try? await notify(.fileUploaded(reference), "upload_file")
    return reference
  }

  func upload(_ data: Data, name: String, mimeType: String) async throws -> FileRef {
    let session = try readySession("upload_bytes")
    let reference = try await calls.run("upload_bytes", bondedTo: .session) { [signaling] in
      try await signaling.upload(data, name: name, mimeType: mimeType, session: session)
    }
    try? await notify(.fileUploaded(reference), "upload_bytes")
    return reference
  }

  private func readySession(_ operation: String) throws -> String {
    _ = try lifecycle.readyLink(operation)
    guard let session = lifecycle.sessionID else {
      throw ReactorError(.invalidState, "there is no session", operation: operation)
    }
    return session
  }

  // MARK: Recordings

  func requestClip(seconds: Double?) async throws -> Clip {
    let operation = seconds == nil ? "request_recording" : "request_clip"
    if let seconds, !(seconds > 0) {
      throw ReactorError(.badRequest, "a clip must be longer than zero", operation: operation)
    }
    let reply = try await request(operation) { conversation, now throws(RequestFailure) in
      if let seconds { return try conversation.requestClip(seconds: seconds, at: now) }
      return try conversation.requestRecording(at: now)
    }
    guard case .clip(let ready) = reply, let clip = Clip(json: ready.json) else {
      throw ReactorError(.decodeFailed, "the runtime's answer names no playlist", operation: operation)
    }
    return clip
  }

  func openDownload(
    _ clip: Clip, readyTimeout: Duration?, options: RequestOptions
  ) async throws -> SegmentedDownload {
    try lifecycle.admitRegistration("download_clip")
    return try await calls.run("download_clip", bondedTo: .client) { [signaling, lifecycle] in
      try await signaling.openDownload(clip, readyTimeout: readyTimeout, options: options) {
        lifecycle.status == .ready
      }
    }
  }

  func download(
    _ clip: Clip, to url: URL, readyTimeout: Duration?,
    progress: (@Sendable (DownloadProgress) -> Void)?
  ) async throws -> DownloadResult {
    let download = try await openDownload(clip, readyTimeout: readyTimeout, options: RequestOptions())
    return try await calls.run("download_clip", bondedTo: .client) {
      let bytes = try await download.write(to: url.path, progress: progress)
      return DownloadResult(path: url, bytes: bytes, segments: download.segments)
    }
  }

  // MARK: Tracks

  func publish(_ name: String) async throws {
    let link = try lifecycle.readyLink("publish")
    if let declared = tracks.declaration(name), declared.direction == .recvonly {
      throw ReactorError(
        .invalidState, "track '\(name)' is received, it cannot be published", operation: "publish")
    }
    guard let generation = try tracks.beginPublishing(name, client: weak) else { return }
    do {
      _ = try await link.request { conversation, now throws(RequestFailure) in
        try conversation.publish(name, at: now)
      }
    } catch {
      _ = tracks.endPublishing(name, generation: generation, isGranted: false)
      // A grant that comes after its caller has gone would keep the slot from everybody.
      switch error {
      case RequestFailure.aborted, RequestFailure.timedOut: _ = link.notifySoon(.unpublishTrack(name))
      default: break
      }
      let failure = ReactorError.from(error, operation: "publish_track")
      lifecycle.post(failure)
      throw failure
    }
    guard tracks.endPublishing(name, generation: generation, isGranted: true) else {
      throw ReactorError(
        .disconnected, "the connection went before the grant came", operation: "publish_track")
    }
  }

  func unpublish(_ name: String) throws {
    let link = try lifecycle.readyLink("unpublish")
    guard tracks.publication(name) != .unpublished else { return }
    guard link.notifySoon(.unpublishTrack(name)) else {
      throw ReactorError(
        .invalidState, "the notice cannot be sent now; try again", operation: "unpublish")
    }
    tracks.setUnpublished(name)
    Task { await link.live.setIdle(name) }
  }

  func setPaused(_ isPaused: Bool, _ name: String) async throws {
    try await notify(
      isPaused ? .pauseTrack(name) : .resumeTrack(name), isPaused ? "pause_track" : "resume_track")
    tracks.setPaused(isPaused, name)
  }

  func handlers(_ name: String, expecting kind: TrackKind, operation: String) throws -> FrameHandlers {
    if let declared = tracks.declaration(name) {
      guard declared.direction == .recvonly else {
        throw ReactorError(
          .invalidState, "track '\(name)' is sent from here, no frames come from it", operation: operation)
      }
      guard declared.kind == kind else {
        throw ReactorError(
          .invalidState,
          "track '\(name)' carries \(declared.kind.rawValue); register a handler of \(declared.kind.rawValue) frames",
          operation: operation)
      }
    }
    return tracks.handlers(name, client: weak)
  }

  func push(
    _ pixels: UnsafeRawBufferPointer, width: UInt32, height: UInt32, userData: [UInt8]?,
    captureTimeUs: Int64?,
    on name: String
  ) throws {
    let live = try tracks.pushTarget(name, kind: .video)
    let (area, overflow) = Int(width).multipliedReportingOverflow(by: Int(height))
    let (expected, overflowToo) = area.multipliedReportingOverflow(by: 4)
    guard !overflow, !overflowToo, area > 0 else {
      throw ReactorError(.badRequest, "\(width) x \(height) is no size of a picture", operation: "pushFrame")
    }
    guard pixels.count == expected else {
      throw ReactorError(
        .badRequest, "a BGRA picture of \(width) x \(height) has \(expected) bytes, not \(pixels.count)",
        operation: "pushFrame")
    }
    guard let sender = live.videoSender(name) else {
      throw ReactorError(
        .invalidState, "the runtime did not accept track '\(name)'", operation: "pushFrame")
    }
    do {
      try sender.push(
        bgra: pixels, width: Int(width), height: Int(height), userData: userData, captureTimeUs: captureTimeUs
      )
    } catch {
      throw Client.pushFailure(error)
    }
  }

  func push(_ samples: [Int16], sampleRate: UInt32, channels: UInt32, on name: String) throws {
    let live = try tracks.pushTarget(name, kind: .audio)
    guard let sender = live.audioSender(name) else {
      throw ReactorError(
        .invalidState, "the runtime did not accept track '\(name)'", operation: "pushFrame")
    }
    do {
      try sender.push(samples, sampleRate: Int(sampleRate), channels: Int(channels))
    } catch {
      throw Client.pushFailure(error)
    }
  }

  private static func pushFailure(_ error: MediaError) -> ReactorError {
    switch error {
    case .closed: ReactorError(.invalidState, "the connection is gone; connect first", operation: "pushFrame")
    default: ReactorError(.badRequest, "\(error)", operation: "pushFrame")
    }
  }

  // MARK: Bitrates and statistics

  func setBitrate(minBPS: Int?, startBPS: Int?, maxBPS: Int?) async throws {
    try Client.check(minBPS, startBPS, maxBPS, operation: "set_bitrate")
    try lifecycle.admitRegistration("set_bitrate")
    bitrate.set(.init(minimum: minBPS, start: startBPS, maximum: maxBPS))
    if let live = try? lifecycle.readyLink("set_bitrate").live { await bitrate.apply(to: live) }
  }

  func setTrackBitrate(_ name: String, minBPS: Int?, maxBPS: Int?) async throws {
    try Client.check(minBPS, nil, maxBPS, operation: "set_bitrate")
    if let declared = tracks.declaration(name), declared.direction == .recvonly {
      throw ReactorError(
        .invalidState, "track '\(name)' is received; only a sender has a bitrate",
        operation: "set_bitrate")
    }
    let live = tracks.setBitrate(name, minimum: minBPS, maximum: maxBPS, client: weak)
    await live?.setBitrateBounds(minimum: minBPS, maximum: maxBPS, of: name)
  }

  private static func check(_ minimum: Int?, _ start: Int?, _ maximum: Int?, operation: String) throws {
    for value in [minimum, start, maximum] {
      if let value, value < 0 {
        throw ReactorError(.badRequest, "a bitrate cannot be negative (\(value))", operation: operation)
      }
    }
    if let minimum, let maximum, minimum > maximum {
      throw ReactorError(
        .badRequest, "the minimum (\(minimum)) is above the maximum (\(maximum))", operation: operation)
    }
  }

  func stats() async throws -> ConnectionStats {
    let link = try lifecycle.readyLink("get_stats")
    guard let snapshot = await link.live.statistics() else {
      throw ReactorError(.invalidState, "the connection is gone", operation: "get_stats")
    }
    return meter.stats(snapshot, unixMilliseconds: SystemClock().unixMilliseconds())
  }

  /// Quality reports to the runtime, when the link says that one is due.
  private func startReports() async {
    guard let link = try? lifecycle.readyLink("get_stats") else { return }
    await link.setReportHandler { [weak self, weak link] in
      Task {
        guard let self, let link, let snapshot = await link.live.statistics() else { return }
        await link.report(QualityReport.make(snapshot, tracks: self.tracks))
      }
    }
  }
}
