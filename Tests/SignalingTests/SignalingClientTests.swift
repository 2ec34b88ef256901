import Foundation
import ReactorTypes
import Signaling
import Synchronization
import Testing
import WireFormat

private let fullBody = #"""
  {"session_id":"6f0c","state":"ACTIVE","cluster":"eu-1","model":{"name":"acme/world"},
  "selected_transport":{"protocol":"webrtc","version":"1.0"},"later":[1],
  "capabilities":{"protocol_version":"1.0.0","tracks":[{"name":"main_video","kind":"video","direction":"recvonly"}]}}
  """#

@Suite struct SignalingClientTests {
  private func bodyJSON(_ request: HTTPRequest) throws -> JSONValue {
    try JSONValue(parsing: [UInt8](request.body ?? Data()))
  }

  @Test func `a hosted session is created, polled and ended with the documented requests`() async throws {
    let transport = StubTransport { request, number in
      switch (request.method, number) {
      case ("POST", _):
        .answer(201, #"{"session_id":"6f0c","state":"CREATED","model":{"name":"acme/world"}}"#)
      case ("DELETE", _): .answer(204)
      case (_, 1...3): .answer(200, #"{"session_id":"6f0c","state":"PENDING"}"#)
      default: .answer(200, fullBody)
      }
    }
    let clock = VirtualClock()
    let client = try makeClient(transport, clock: clock)
    let created = try await client.createSession(
      SessionRequest(model: "acme/world", generation: .stepped, extraArguments: ["seed": 1]))
    #expect(created.id == "6f0c" && !created.isReady)
    let ready = try await client.readySession(created.id, known: created)
    #expect(ready.capabilities?.tracks.map(\.name) == ["main_video"] && ready.raw["later"] == [1])
    try await client.endSession(created.id)
    #expect(transport.requests.map(\.method) == ["POST", "GET", "GET", "GET", "GET", "DELETE"])
    #expect(transport.requests.map(\.url.absoluteString)[1] == "https://api.test/sessions/6f0c")
    #expect(clock.sleeps.map(\.wholeMilliseconds) == [10, 20, 40, 80])
    let first = try #require(transport.requests.first)
    #expect(
      try bodyJSON(first) == [
        "model": ["name": "acme/world"],
        "client_info": ["sdk_version": .string(ReactorSDK.version), "sdk_type": "swift"],
        "supported_transports": [["protocol": "webrtc", "version": "1.0"]],
        "extra_configs": ["generation": "stepped", "seed": 1],
      ])
    #expect(first.headers["Authorization"] == "Bearer fallback-token")
    #expect(first.headers["Reactor-API-Version"] == "1" && first.headers["Reactor-API-Accept-Version"] == "1")
    #expect(
      first.headers["Reactor-WebRTC-Version"] == nil && first.headers["Content-Type"] == "application/json")
    #expect(!first.mayReplay && transport.requests[1].mayReplay)
    #expect(transport.requests[5].body == nil)
  }

  @Test func `connection calls carry the transport version and the documented bodies`() async throws {
    let transport = StubTransport { request, _ in
      switch (request.method, request.url.path.split(separator: "/").last) {
      case ("GET", "ice_servers"):
        .answer(
          200,
          #"{"ice_servers":[{"uris":["turn:h:1"],"credentials":{"username":"u","password":"p"}},{"uris":["stun:h"]},{}]}"#
        )
      case ("POST", "connections"): .answer(201, #"{"connection_id":5543,"track_map":{}}"#)
      case ("GET", "sdp_params"): .answer(200, #"{"sdp_answer":"v=0","connection_id":5544}"#)
      default: .answer(202)
      }
    }
    let client = try makeClient(transport)
    let servers = try await client.iceServers(session: "a b/../c")
    #expect(
      servers == [ICEServer(uris: ["turn:h:1"], username: "u", password: "p"), ICEServer(uris: ["stun:h"])])
    #expect(!"\(servers)".contains("\"p\""))
    #expect(try await client.registerConnection(session: "s") == 5543)
    let mapping = [TrackMapping(mid: "0", name: "camera", kind: .video, direction: .sendonly)]
    try await client.sendOffer("v=0 offer", mapping: mapping, session: "s", connection: 5543)
    try await client.sendOffer("v=0 again", mapping: mapping, session: "s", connection: 5543, replaces: true)
    #expect(
      try await client.answer(session: "s", connection: 5543) == SDPAnswer(sdp: "v=0", connectionID: 5544))
    try await client.sendCandidates(
      [TrickledCandidate(candidate: "candidate:1 1 udp 1 192.0.2.7 5 typ host", mid: "0", mLineIndex: 0)],
      isFinal: false, session: "s", connection: 5543)
    let requests = transport.requests
    #expect(
      requests[0].url.absoluteString
        == "https://api.test/sessions/a%20b%2F..%2Fc/transport/webrtc/ice_servers")
    #expect(requests.allSatisfy { $0.headers["Reactor-WebRTC-Version"] == "1.0" })
    #expect(try bodyJSON(requests[1]) == [:])
    #expect(requests[2].method == "POST" && requests[3].method == "PUT")
    let offer = try bodyJSON(requests[2])
    #expect(offer["sdp_offer"] == "v=0 offer")
    #expect(
      offer["track_mapping"] == [["mid": "0", "name": "camera", "kind": "video", "direction": "sendonly"]])
    let candidates = try bodyJSON(requests[5])
    #expect(candidates["is_final"] == false)
    #expect(candidates["candidates"]?.arrayValue?.first?["sdp_mline_index"] == 0)
  }

  @Test func `the answer is polled by its schedule, stale ones are passed over, and the end is a timeout`()
    async throws
  {
    let clock = VirtualClock()
    let transport = StubTransport(clock: clock) { _, number in
      switch number {
      case 0: .answer(202)
      case 1: .answer(202, "null")
      case 2: .answer(200, #"{"sdp_answer":"old"}"#)
      default: .answer(200, #"{"sdp_answer":"new"}"#)
      }
    }
    let client = try makeClient(transport, clock: clock)
    let answer = try await client.answer(session: "s", connection: 1) { $0.sdp == "old" }
    #expect(answer.sdp == "new" && answer.connectionID == 1)
    #expect(transport.moments.map(\.microseconds) == [0, 10_000, 30_000, 70_000])
    let silent = StubTransport { _, _ in .answer(202) }
    do {
      _ = try await makeClient(silent, clock: VirtualClock()).answer(session: "s", connection: 1)
      Issue.record("answered")
    } catch let error as SignalingError {
      #expect(error.reactorError(operation: "connect").code == .requestTimeout)
      #expect(silent.requests.count == 11)
    }
  }

  @Test(arguments: ["CLOSED", "INACTIVE"]) func `a session that is over ends the polling at once`(
    state: String
  ) async throws {
    let transport = StubTransport { _, _ in .answer(200, #"{"session_id":"s","state":"\#(state)"}"#) }
    do {
      _ = try await makeClient(transport).readySession("s")
      Issue.record("ready")
    } catch let error as SignalingError {
      #expect(error.reactorError(operation: "connect").code == .sessionTerminal)
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `a local runtime is started, joined and stopped, and never sees a token`() async throws {
    let transport = StubTransport { request, number in
      switch request.url.path {
      case "/start_session":
        number == 0 ? .answer(503, #"{"detail":"loading"}"#, ["retry-after": "1"]) : .answer(200, fullBody)
      default: .answer(200, fullBody)
      }
    }
    let clock = VirtualClock()
    var defaults = RequestOptions()
    defaults.retry = RetryPolicy.none
    let store = MemoryTokenStore("secret")
    let client = try makeClient(
      transport, local: true, url: "https://api.reactor.inc", tokens: store, defaults: defaults, clock: clock)
    let started = try await client.createSession(SessionRequest(model: "m", generation: .stepped))
    #expect(started.isReady && clock.sleeps == [.seconds(1)], "a loading model is waited for")
    _ = try await client.session("6f0c")
    await #expect(throws: SignalingError.self) { _ = try await client.session("other") }
    try await client.endSession("6f0c")
    #expect(transport.requests.allSatisfy { $0.url.host() == "localhost" && $0.url.port == 8080 })
    #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
    #expect(try bodyJSON(transport.requests[0]) == ["generation": "stepped"])
    #expect(transport.requests.map(\.url.path).last == "/stop_session")
  }

  @Test func `a local runtime that closes its last session is waited for, one that has another is not`()
    async throws
  {
    let closing = #"{"detail":"cannot start session while closing"}"#
    let transport = StubTransport { _, number in
      number < 3 ? .answer(409, closing) : .answer(200, fullBody)
    }
    let clock = VirtualClock()
    let client = try makeClient(transport, local: true, clock: clock)
    _ = try await client.createSession(SessionRequest(model: "m"))
    #expect(clock.sleeps == [.milliseconds(10), .milliseconds(20), .milliseconds(40)])

    let busy = StubTransport { _, _ in .answer(409, #"{"detail":"cannot start session while streaming"}"#) }
    let refused = try makeClient(busy, local: true)
    await #expect(throws: SignalingError.self) {
      _ = try await refused.createSession(SessionRequest(model: "m"))
    }
    #expect(busy.requests.count == 1)
  }

  @Test func `a local runtime that never ends its closing is given up after ten seconds`() async throws {
    let transport = StubTransport { _, _ in .answer(409, #"{"detail":"cannot start session while closing"}"#)
    }
    let clock = VirtualClock()
    let client = try makeClient(transport, local: true, clock: clock)
    do {
      _ = try await client.createSession(SessionRequest(model: "m"))
      Issue.record("started")
    } catch {
      #expect(error.cause == .status(409))
    }
    #expect(clock.now() - .origin == .seconds(10))
    try await client.endSession("any")
    #expect(transport.requests.last?.url.path == "/stop_session", "a session that goes counts as ended")
  }

  @Test func `a cancelled creation still learns which session it made, within two seconds`() async throws {
    let transport = HeldTransport()
    let clock = VirtualClock()
    clock.isFrozen.store(true, ordering: .relaxed)
    let client = try makeClient(transport, clock: clock)
    let creation = Task { try await client.createSession(SessionRequest(model: "m")) }
    await transport.arrival()
    creation.cancel()
    transport.release(.answer(200, fullBody))
    #expect(try await creation.value.id == "6f0c")

    // The virtual clock's two seconds are over at once: then the cancellation reaches the request.
    let silent = HeldTransport()
    let other = try makeClient(silent)
    let lost = Task { try await other.createSession(SessionRequest(model: "m")) }
    await silent.arrival()
    lost.cancel()
    await #expect(throws: SignalingError.self) { _ = try await lost.value }
  }

  @Test func `a 401 renews the token once, and only once`() async throws {
    final class Renewing: TokenStore {
      let asked = Mutex<[String]>([])
      let count = Atomic<Int>(0)
      func token(for context: TokenContext) async throws -> String? {
        asked.withLock { $0.append("ask \(context.sessionID ?? "-")") }
        return "token-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
      }
      func invalidate(_ token: String, for context: TokenContext) async {
        asked.withLock { $0.append("drop \(token)") }
      }
    }
    let store = Renewing()
    let transport = StubTransport { request, _ in
      request.headers["Authorization"] == "Bearer token-1"
        ? .answer(401) : .answer(200, #"{"ice_servers":[]}"#)
    }
    _ = try await makeClient(transport, tokens: store).iceServers(session: "s")
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer token-1", "Bearer token-2"])
    let always = StubTransport { _, _ in .answer(401, #"{"detail":"token-3 and token-4 are bad"}"#) }
    do {
      _ = try await makeClient(always, tokens: store).iceServers(session: "s")
      Issue.record("accepted")
    } catch let error as SignalingError {
      let mapped = error.reactorError(operation: "connect")
      #expect(mapped.code == .unauthorized && mapped.status == 401 && always.requests.count == 2)
      #expect(!mapped.message.contains("token-4"), "the token in use is cut out of the server's own words")
    }
    #expect(store.asked.withLock { $0.contains("drop token-1") && $0.contains("ask s") })
  }

  @Test(arguments: [
    (400, ReactorError.Code.badRequest), (401, .unauthorized), (403, .unauthorized), (404, .notFound),
    (409, .conflict), (410, .badRequest), (422, .badRequest), (426, .versionMismatch), (429, .rateLimited),
    (500, .serverError), (501, .versionMismatch), (503, .serverError), (307, .badRequest),
  ])
  func `every status reaches the caller by the one table`(status: Int, code: ReactorError.Code) async throws {
    let transport = StubTransport { _, _ in
      .answer(status, #"{"detail":"no, because","jwt":"eyJabcdefghijk"}"#, ["Retry-After": "7"])
    }
    var options = RequestOptions()
    options.retry = RetryPolicy.none
    do {
      _ = try await makeClient(transport).registerConnection(session: "s", options: options)
      Issue.record("accepted")
    } catch let error as SignalingError {
      let mapped = error.reactorError(operation: "connect")
      #expect(
        mapped.code == code && mapped.operation == "connect" && mapped.recoverable == code.isRecoverable)
      #expect(mapped.message == "register connection: HTTP \(status): no, because")
      #expect(mapped.body == ["detail": "no, because", "jwt": "[redacted]"])
      let isMismatch = code == .versionMismatch
      #expect(mapped.status == (isMismatch ? nil : status))
      #expect(mapped.retryAfterMS == (isMismatch ? nil : 7000))
    }
  }

  @Test func `garbage, nothing and half a body have codes of their own`() async throws {
    var options = RequestOptions()
    options.retry = RetryPolicy.none
    func code(_ reply: StubTransport.Reply) async throws -> ReactorError.Code? {
      do {
        _ = try await makeClient(StubTransport { _, _ in reply }).session("s", options: options)
        return nil
      } catch let error as SignalingError {
        return error.reactorError(operation: nil).code
      }
    }
    #expect(try await code(.answer(200, "<html>")) == .decodeFailed)
    #expect(try await code(.answer(200, "")) == .decodeFailed)
    #expect(try await code(.answer(200, #"{"state":"ACTIVE"}"#)) == .decodeFailed)
    #expect(try await code(.answer(200, #"{"session_id":"s","x":1e999}"#)) == .decodeFailed)
    #expect(try await code(.broken(200, #"{"session_id":"#)) == .networkError)
    #expect(try await code(.failure(.connectionLost(sent: true))) == .networkError)
    #expect(try await code(.failure(.timedOut(sent: true))) == .requestTimeout)
    #expect(try await code(.failure(.tls("bad certificate"))) == .networkError)
    #expect(try await code(.failure(.cancelled)) == .aborted)
    #expect(try await code(.answer(200, String(repeating: " ", count: (16 << 20) + 1))) == .messageTooLarge)
    #expect(
      try await code(.broken(500, "half")) == .serverError, "a status counts, whatever becomes of its body")
  }

  @Test func `a long or hostile error text is cut, cleaned and kept out of the body`() async throws {
    let secret = "Bearer abcdefghijklmnop rk_live_12345678 https://h/p?sig=1\u{1B}[31m\r\nforged: line"
    let transport = StubTransport { _, _ in .answer(400, secret + String(repeating: "x", count: 100_000)) }
    do {
      _ = try await makeClient(transport).session("s")
      Issue.record("accepted")
    } catch let error as SignalingError {
      let message = error.reactorError(operation: nil).message
      #expect(message.count < 700 && error.body == nil)
      for forbidden in ["abcdefghijklmnop", "rk_live", "sig=1", "\u{1B}", "\n", "\r"] {
        #expect(!message.contains(forbidden), "\(forbidden)")
      }
    }
  }

  @Test func `options add headers and members, and cannot take over what is the client's`() async throws {
    let transport = StubTransport { _, _ in .answer(201, #"{"connection_id":1}"#) }
    var defaults = RequestOptions()
    defaults.headers = ["X-Trace": "default", "X-Default": "1"]
    let client = try makeClient(transport, defaults: defaults)
    var options = RequestOptions()
    options.headers = ["X-Trace": "own"]
    options.extraBody = ["region": "eu"]
    options.idempotencyKey = "key-1"
    _ = try await client.registerConnection(session: "s", options: options)
    let request = try #require(transport.requests.first)
    #expect(request.headers["X-Trace"] == "own" && request.headers["X-Default"] == "1")
    #expect(request.headers["Idempotency-Key"] == "key-1")
    #expect(try bodyJSON(request) == ["region": "eu"])
    for name in ["Authorization", "reactor-api-key", "CONTENT-LENGTH", "Host", "X-Bad\r\nInjected", ""] {
      var bad = RequestOptions()
      bad.headers = [name: "x"]
      await #expect(throws: SignalingError.self) {
        _ = try await client.registerConnection(session: "s", options: bad)
      }
    }
    var split = RequestOptions()
    split.headers = ["X-Ok": "a\r\nAuthorization: b"]
    await #expect(throws: SignalingError.self) {
      _ = try await client.registerConnection(session: "s", options: split)
    }
    var clash = RequestOptions()
    clash.extraBody = ["sdp_offer": "mine"]
    await #expect(throws: SignalingError.self) {
      try await client.sendOffer("v=0", mapping: [], session: "s", connection: 1, options: clash)
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `the attempts of one POST share a key, different calls do not`() async throws {
    let transport = StubTransport { _, number in
      number == 0 ? .answer(503) : .answer(201, #"{"connection_id":1}"#)
    }
    let client = try makeClient(transport)
    _ = try await client.registerConnection(session: "s")
    _ = try await client.registerConnection(session: "s")
    let keys = transport.requests.compactMap { $0.headers["Idempotency-Key"] }
    #expect(keys.count == 3 && keys[0] == keys[1] && keys[1] != keys[2])
  }

  @Test func `creating a session is not repeated once it may have arrived`() async throws {
    let lost = StubTransport { _, _ in .failure(.connectionLost(sent: true)) }
    await #expect(throws: SignalingError.self) {
      _ = try await makeClient(lost).createSession(SessionRequest(model: "m"))
    }
    #expect(lost.requests.count == 1)
    let refused = StubTransport { _, _ in .failure(.connectionRefused) }
    await #expect(throws: SignalingError.self) {
      _ = try await makeClient(refused).createSession(SessionRequest(model: "m"))
    }
    #expect(refused.requests.count == 3)
  }

  @Test func `ending a session that is gone is no failure`() async throws {
    try await makeClient(StubTransport { _, _ in .answer(404) }).endSession("s")
  }

  @Test(arguments: [
    "", "api.test", "ftp://api.test", "https://", "https://u:p@api.test", "https://api.test?x=1", "file:///x",
  ])
  func `only plain http URLs are platforms`(url: String) {
    #expect(Endpoint(apiURL: url, isLocal: false) == nil)
  }
}
