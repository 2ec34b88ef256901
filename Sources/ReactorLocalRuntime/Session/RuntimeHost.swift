#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Media
import PeerConnection
import ReactorTypes
import WireFormat

/// The one session of a local runtime and its clients: what the HTTP routes act on.
actor RuntimeHost {
  /// Connections of a session; further ones are refused with 503.
  static let connectionLimit = 64

  enum State: String {
    case ready, waiting, streaming, orphaned, closing, terminated
  }

  /// A refused request: the status and the text of its `detail`.
  struct Refusal: Error {
    let status: Int
    let detail: String

    init(_ status: Int, _ detail: String) {
      self.status = status
      self.detail = detail
    }
  }

  private struct Connection {
    var client: RuntimeClient?
    var answer: String?
    var early: [String] = []
  }

  nonisolated let model: any LocalModel
  nonisolated let uploads = UploadStore()
  private let loop: NetworkLoop
  private let frameThreads = FrameThreads(name: "runtime-frames")
  private let slots = PublisherSlots()
  private var configuration: LocalRuntimeConfiguration
  private(set) var state = State.ready
  private var sessionID = RuntimeHost.localSessionID
  private var session: LocalSession?
  private var runTask: Task<Void, Never>?
  private var orphanTask: Task<Void, Never>?
  private var connections: [UInt32: Connection] = [:]
  private var nextConnectionID: UInt32 = 5000

  /// The id of a session that was started the local way.
  static let localSessionID = "00000000-0000-0000-0000-000000000000"

  init(model: any LocalModel, configuration: LocalRuntimeConfiguration, loop: NetworkLoop) {
    self.model = model
    self.configuration = configuration
    self.loop = loop
  }

  func setFaults(_ faults: LocalRuntimeConfiguration.Faults) {
    configuration.faults = faults
  }

  var faults: LocalRuntimeConfiguration.Faults { configuration.faults }
  var clients: [RuntimeClient] { session?.clients ?? [] }

  // MARK: Session

  func start(id: String = RuntimeHost.localSessionID) throws -> JSONValue {
    if let status = configuration.faults.startStatus { throw Refusal(status, "refused by a fault switch") }
    guard state == .ready else { throw Refusal(409, "cannot start session while \(state.rawValue)") }
    sessionID = id
    let session = LocalSession(slots: slots)
    self.session = session
    state = .waiting
    let model = model
    runTask = Task.detached { try? await model.run(session) }
    watchOrphan()
    return description
  }

  /// Ends the session. `reason` is told to the clients; without one the channels just close.
  func stop(reason: String?, isModeration: Bool = false) async throws {
    switch state {
    case .ready: return
    case .closing: throw Refusal(409, "cannot stop session while closing")
    case .terminated: throw Refusal(409, "cannot stop session while terminated")
    case .waiting, .streaming, .orphaned: break
    }
    state = .closing
    orphanTask?.cancel()
    runTask?.cancel()
    let ending = connections.values.compactMap(\.client)
    connections.removeAll()
    session = nil
    for client in ending {
      await client.tellEnd(reason: reason, isModeration: isModeration)
      await client.close()
    }
    await runTask?.value
    runTask = nil
    uploads.removeAll()
    slots.removeAll()
    let closingTime = configuration.faults.closingTime
    guard closingTime > .zero else {
      state = .ready
      return
    }
    Task {
      try? await Task.sleep(for: closingTime)
      self.closed()
    }
  }

  private func closed() {
    if state == .closing { state = .ready }
  }

  func terminate() async {
    try? await stop(reason: "Session ended: the server is shutting down.")
    state = .terminated
    frameThreads.close()
  }

  func requireSession(_ id: String) throws {
    guard session != nil else { throw Refusal(400, "No session running") }
    guard id == sessionID else { throw Refusal(404, "Unknown session") }
  }

  func isRunning(_ id: String) -> Bool { session != nil && id == sessionID }

  /// The session as both variants of the protocol describe it.
  var description: JSONValue {
    let tracks = model.tracks.map { track -> JSONValue in
      [
        "name": .string(track.name), "kind": .string(track.kind.rawValue),
        "direction": .string(track.direction == .output ? "recvonly" : "sendonly"),
      ]
    }
    return [
      "session_id": .string(sessionID), "state": .string(state.rawValue), "cluster": "local",
      "model": ["name": .string(model.name)], "server_info": ["server_version": .string(ReactorSDK.version)],
      "selected_transport": ["protocol": "webrtc", "version": "1.0"],
      "transports": [["protocol": "webrtc", "version": "1.0"]], "generation": "streamed",
      "recording": ["enabled": false, "chunk_seconds": 0],
      "capabilities": ["protocol_version": "v0", "tracks": .array(tracks), "commands": []],
    ]
  }

  private func watchOrphan() {
    orphanTask?.cancel()
    guard configuration.orphanTimeout > .zero else { return }
    orphanTask = Task { [limit = configuration.orphanTimeout] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      await self.orphaned()
    }
  }

  private func orphaned() async {
    guard state == .waiting || state == .orphaned else { return }
    try? await stop(reason: nil)
  }

  // MARK: Connections

  func register() throws -> UInt32 {
    guard session != nil else { throw Refusal(400, "No session running") }
    guard connections.count < RuntimeHost.connectionLimit else {
      throw Refusal(503, "Connection limit reached")
    }
    let id = nextConnectionID
    nextConnectionID = nextConnectionID >= 9999 ? 5000 : nextConnectionID + 1
    connections[id] = Connection()
    return id
  }

  /// Takes an offer; the answer is there when ``takeAnswer(_:)`` gives it.
  func offer(_ sdp: String, mapping: [String: String], connection id: UInt32) async throws {
    guard let session else { throw Refusal(400, "No session running") }
    guard (1001...9999).contains(id) else { throw Refusal(422, "connection id out of range") }
    let old = connections[id]?.client
    let early = connections[id]?.early ?? []
    connections[id] = Connection()
    await old?.supersede()
    guard !configuration.faults.refusesOffers else { return }
    let client = RuntimeClient(
      id: id, model: model, session: session, uploads: uploads, slots: slots,
      pingLimit: Interval(configuration.pingTimeout), loop: loop, frameThreads: frameThreads
    ) { [weak self] client in
      Task { await self?.ended(client) }
    }
    connections[id]?.client = client
    state = .streaming
    orphanTask?.cancel()
    let delay = configuration.faults.answerDelay
    Task {
      if delay > .zero { try? await Task.sleep(for: delay) }
      // A refused offer shows late, as with the real runtime: there is never an answer.
      guard let answer = try? await client.answer(sdp, mapping: mapping) else { return }
      for candidate in early { await client.addCandidate(candidate) }
      self.answered(answer, id, client)
    }
  }

  private func answered(_ answer: String, _ id: UInt32, _ client: RuntimeClient) {
    guard connections[id]?.client === client else { return }
    connections[id]?.answer = answer
  }

  /// The answer, once.
  func takeAnswer(_ id: UInt32) -> String? {
    defer { connections[id]?.answer = nil }
    return connections[id]?.answer
  }

  func addCandidates(_ candidates: [String], connection id: UInt32) async {
    if let client = connections[id]?.client {
      for candidate in candidates { await client.addCandidate(candidate) }
    } else if let count = connections[id]?.early.count, count < 256 {
      connections[id]?.early += candidates
    }
  }

  private func ended(_ client: RuntimeClient) {
    if connections[client.id]?.client === client { connections[client.id]?.client = nil }
    guard state == .streaming, !connections.values.contains(where: { $0.client != nil }) else { return }
    state = .orphaned
    watchOrphan()
  }

  // MARK: Faults

  func vanish() async {
    for client in clients { await client.vanish() }
  }

  func sendGarbage() async {
    for client in clients { await client.sendGarbage() }
  }
}

extension Interval {
  init(_ duration: Duration) {
    let parts = duration.components
    self = .seconds(parts.seconds) + .nanoseconds(parts.attoseconds / 1_000_000_000)
  }
}
