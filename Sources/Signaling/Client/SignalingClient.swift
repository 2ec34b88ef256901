#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

/// The platform's HTTP interface, hosted or local: sessions, connections, offers and answers, uploads, playlists.
///
/// Sendable and without state of its own but its transport's connections; any number of calls may run at once.
package struct SignalingClient: Sendable {
  package let endpoint: Endpoint
  package let model: String
  let runner: CallRunner
  let clock: any SignalingClock

  /// - Parameters:
  ///   - model: named in the token contexts of all calls.
  ///   - transport: one for all calls, so that a warm connection is used again.
  ///   - tokens: asked before every attempt; never in local mode.
  ///   - fallbackToken: used when the store has none.
  ///   - defaults: options of every call, under those of the call itself.
  package init(
    endpoint: Endpoint, model: String, transport: any HTTPTransport, tokens: (any TokenStore)? = nil,
    fallbackToken: String? = nil, defaults: RequestOptions = RequestOptions(),
    connectivity: (any ConnectivityMonitor)? = nil, lifecycle: (any AppLifecycle)? = nil,
    clock: any SignalingClock = SystemClock(), random: RandomSource = .system
  ) {
    self.endpoint = endpoint
    self.model = model
    self.clock = clock
    runner = CallRunner(
      transport: transport, tokens: tokens, fallbackToken: fallbackToken, isLocal: endpoint.isLocal,
      defaults: defaults, clock: clock,
      gate: Gate(clock: clock, connectivity: connectivity, lifecycle: lifecycle), random: random)
  }

  // MARK: Sessions

  /// How long a local runtime may take to load its model before a start fails with its 503.
  private static let modelLoadLimit = Interval.seconds(60)
  /// How long the end of its last session may keep a local runtime from a new one.
  private static let closingLimit = Interval.seconds(10)

  /// Creates a session; locally, starts the one that the runtime can have.
  ///
  /// A local runtime that is still loading its model (503) is asked again for up to 60 s, one that is still
  /// closing its last session (409) for up to 10 s. A session that runs is a conflict at once.
  package func createSession(
    _ request: SessionRequest, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> SessionDescriptor {
    guard endpoint.isLocal else {
      return try await descriptor(
        call(.createSession, "POST", "/sessions", json: .object(request.hostedBody), sessionID: nil, options)
        {
          $0.rule = .onlyIfUnsent
          $0.outlivesCaller = true
        })
    }
    let start = clock.now()
    var closing = PollSchedule.session
    while true {
      do {
        return try await descriptor(
          call(
            .startSession, "POST", "/start_session", json: .object(request.localBody), sessionID: nil, options
          ) {
            $0.rule = .onlyIfUnsent
            $0.outlivesCaller = true
          })
      } catch {
        let waited = clock.now() - start
        if error.cause == .status(503), let wait = error.retryAfterMS,
          waited < SignalingClient.modelLoadLimit
        {
          try await pause(.startSession, .milliseconds(wait))
        } else if error.saysClosing, waited < SignalingClient.closingLimit, let wait = closing.nextWait() {
          try await pause(.startSession, min(wait, SignalingClient.closingLimit - waited))
        } else {
          throw error
        }
      }
    }
  }

  /// Asks for a session once: the start of adopting it, and of each poll.
  ///
  /// Locally there is one session, and another id than its own is refused.
  package func session(
    _ id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> SessionDescriptor {
    let path = endpoint.isLocal ? "/session" : "/sessions/\(Endpoint.segment(id))"
    let session = try await descriptor(call(.getSession, "GET", path, json: nil, sessionID: id, options))
    guard !endpoint.isLocal || session.id == id else {
      throw SignalingError(.getSession, .invalidState("the runtime's session is \(session.id), not \(id)"))
    }
    return session
  }

  /// Asks until the session has its transport and capabilities.
  ///
  /// - Parameter known: what a creation or adoption answered just now; if that is ready, nothing is asked.
  package func readySession(
    _ id: String, known: SessionDescriptor? = nil, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> SessionDescriptor {
    var schedule = PollSchedule.session
    var latest = known
    while true {
      let session: SessionDescriptor
      if let already = latest {
        session = already
        latest = nil
      } else {
        session = try await self.session(id, options: options)
      }
      if session.state.isTerminal { throw SignalingError(.getSession, .sessionTerminal(session.stateText)) }
      if session.isReady { return session }
      guard let wait = schedule.nextWait() else { throw SignalingError(.getSession, .pollExhausted) }
      try await pause(.getSession, wait)
    }
  }

  /// Gives the session new compute; its transport must be built anew. Hosted only.
  package func restartSession(
    _ id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) {
    _ = try await runner.run(
      call(.restartSession, "PUT", "/sessions/\(Endpoint.segment(id))", json: nil, sessionID: id, options))
  }

  /// Ends the session. One that is gone, or going, already counts as ended.
  package func endSession(
    _ id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) {
    let call =
      endpoint.isLocal
      ? try call(.endSession, "POST", "/stop_session", json: nil, sessionID: id, options)
      : try call(
        .endSession, "DELETE", "/sessions/\(Endpoint.segment(id))", json: nil, sessionID: id, options)
    do {
      _ = try await runner.run(call)
    } catch  where error.cause == .status(404) || error.saysClosing {
      return
    }
  }

  // MARK: Transport

  /// The STUN and TURN servers to gather candidates with. Needs no connection: fetch them early.
  package func iceServers(
    session id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> [ICEServer] {
    let answer = try await runner.run(
      call(.iceServers, "GET", "\(transportPath(id))/ice_servers", json: nil, sessionID: id, options))
    guard let servers = ICEServer.list(json: try json(answer, .iceServers)) else {
      throw SignalingError(.iceServers, .undecodable("the answer has no list of ICE servers"))
    }
    return servers
  }

  /// Registers a connection and returns its id.
  package func registerConnection(
    session id: String, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> UInt32 {
    let answer = try await runner.run(
      call(.registerConnection, "POST", "\(transportPath(id))/connections", json: [:], sessionID: id, options)
    )
    guard let number = try json(answer, .registerConnection)["connection_id"]?.intValue,
      let connection = UInt32(exactly: number)
    else { throw SignalingError(.registerConnection, .undecodable("the answer has no connection id")) }
    return connection
  }

  /// Sends an offer.
  ///
  /// - Parameters:
  ///   - mapping: one entry a track with a media section, in the order of the sections.
  ///   - replaces: whether the connection had an offer before (reconnect). Put the candidates into such an offer:
  ///     those trickled before its answer are lost.
  package func sendOffer(
    _ sdp: String, mapping: [TrackMapping], session id: String, connection: UInt32, replaces: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) {
    let body: JSONValue = [
      "sdp_offer": .string(sdp), "client_info": ClientInfo.json,
      "track_mapping": .array(mapping.map(\.json)),
    ]
    let path = "\(transportPath(id))/connections/\(connection)/sdp_params"
    _ = try await runner.run(
      call(.sendOffer, replaces ? "PUT" : "POST", path, json: body, sessionID: id, options))
  }

  /// Asks once for the answer; nil: not yet.
  package func pollAnswer(
    session id: String, connection: UInt32, options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) -> SDPAnswer? {
    let path = "\(transportPath(id))/connections/\(connection)/sdp_params"
    // A runtime may hand an answer out once: an attempt that got it and lost its body must not be repeated.
    let answer = try await runner.run(call(.pollAnswer, "GET", path, json: nil, sessionID: id, options))
    guard answer.status != 202 else { return nil }
    let body = try json(answer, .pollAnswer)
    guard let sdp = body["sdp_answer"]?.stringValue, !sdp.isEmpty else {
      throw SignalingError(.pollAnswer, .undecodable("the answer has no SDP"))
    }
    let named = body["connection_id"]?.intValue.flatMap { UInt32(exactly: $0) }
    return SDPAnswer(sdp: sdp, connectionID: named ?? connection)
  }

  /// Asks until the answer is there.
  ///
  /// - Parameter isStale: tells an answer to an earlier offer, which a runtime may go on handing out for a while
  ///   after a new one (compare the ICE ufrag).
  package func answer(
    session id: String, connection: UInt32, options: RequestOptions = RequestOptions(),
    isStale: @Sendable (SDPAnswer) -> Bool = { _ in false }
  ) async throws(SignalingError) -> SDPAnswer {
    var schedule = endpoint.isLocal ? PollSchedule.localAnswer : PollSchedule.answer
    while true {
      if let answer = try await pollAnswer(session: id, connection: connection, options: options),
        !isStale(answer)
      {
        return answer
      }
      guard let wait = schedule.nextWait() else { throw SignalingError(.pollAnswer, .pollExhausted) }
      try await pause(.pollAnswer, wait)
    }
  }

  /// Sends candidates as they are found. Failures do not matter: the caller may ignore what this throws.
  package func sendCandidates(
    _ candidates: [TrickledCandidate], isFinal: Bool, session id: String, connection: UInt32,
    options: RequestOptions = RequestOptions()
  ) async throws(SignalingError) {
    let body: JSONValue = [
      "candidates": .array(candidates.map(\.json)), "is_final": .bool(isFinal),
      "client_info": ClientInfo.json,
    ]
    let path = "\(transportPath(id))/connections/\(connection)/ice_candidates"
    _ = try await runner.run(call(.sendCandidates, "POST", path, json: body, sessionID: id, options))
  }

  // MARK: Building calls

  private func transportPath(_ id: String) -> String {
    "/sessions/\(Endpoint.segment(id))/transport/webrtc"
  }

  func call(
    _ step: SignalingStep, _ method: String, _ path: String, json: JSONValue?, sessionID: String?,
    _ options: RequestOptions, _ adjust: (inout Call) -> Void = { _ in }
  ) throws(SignalingError) -> Call {
    guard let url = endpoint.url(path) else {
      throw SignalingError(step, .refused("the API URL cannot be extended by a path"))
    }
    var call = Call(
      step: step, method: method, url: url, json: json,
      authorization: .token(TokenContext(model: model, sessionID: sessionID)), options: options)
    call.headers = ["Reactor-API-Version": "1", "Reactor-API-Accept-Version": "1"]
    switch step {
    case .iceServers, .registerConnection, .sendOffer, .pollAnswer, .sendCandidates:
      call.headers["Reactor-WebRTC-Version"] = "1.0"
    default: break
    }
    adjust(&call)
    return call
  }

  private func descriptor(_ call: Call) async throws(SignalingError) -> SessionDescriptor {
    let answer = try await runner.run(call)
    guard let session = SessionDescriptor(json: try json(answer, call.step)) else {
      throw SignalingError(call.step, .undecodable("the answer has no session id"))
    }
    return session
  }

  func json(_ answer: Answer, _ step: SignalingStep) throws(SignalingError) -> JSONValue {
    do {
      return try JSONValue(parsing: answer.body)
    } catch {
      throw SignalingError(step, .undecodable("the answer is not JSON (\(error))"))
    }
  }

  func pause(_ step: SignalingStep, _ wait: Interval) async throws(SignalingError) {
    do {
      try await runner.gate.pause(wait, deadline: nil)
    } catch .deadlinePassed {
      throw SignalingError(step, .timedOut)
    } catch {
      throw SignalingError(step, .cancelled)
    }
  }
}
