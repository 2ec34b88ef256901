import Foundation
import Reactor
import ReactorLocalRuntime
import Signaling
import Synchronization
import WireFormat

/// The built-in transport with a gate at one place: what comes there is held, refused or spoiled.
final class GatedTransport: HTTPTransport {
  /// Where requests pass: an attempt's steps, the end of a session, an upload, a playlist.
  enum Place: Hashable, Sendable {
    case step(AttemptStep)
    case ending
    case upload
  }

  enum Gate: Sendable {
    case open
    /// What comes waits until it is released or its task is cancelled.
    case held(Place)
    case refused(Place)
  }

  private struct State {
    var gate = Gate.open
    var passed: [Place: Int] = [:]
    var release: [AsyncStream<Void>.Continuation] = []
    var arrived = false
  }

  private let inner = CurlTransport()
  private let state = Mutex(State())

  init(_ gate: Gate = .open) {
    state.withLock { $0.gate = gate }
  }

  deinit {
    inner.close()
  }

  /// Sets the gate anew and lets go of what is held.
  func set(_ gate: Gate) {
    let held = state.withLock { state in
      defer { state.release = [] }
      state.gate = gate
      state.arrived = false
      return state.release
    }
    for one in held { one.finish() }
  }

  /// Whether something waits at the gate.
  var isHolding: Bool { state.withLock { $0.arrived } }

  /// How many requests came to a place.
  func count(_ place: Place) -> Int { state.withLock { $0.passed[place] ?? 0 } }

  func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
    let place = GatedTransport.place(of: request)
    let gate = pass(place)
    if case .refused(let at) = gate, at == place {
      return answer(400, Data(#"{"detail":"refused by the test"}"#.utf8))
    }
    // A session that is made while its maker waits exists all the same.
    if case .held(let at) = gate, at == place, place != .step(.session) { try await hold() }
    let (head, body) = try await inner.send(request, timeout: timeout)
    if case .held(let at) = gate, at == place, place == .step(.session) { try await hold() }
    switch (gate, place) {
    case (.held(.step(.description)), .step(.session)), (.refused(.step(.description)), .step(.session)):
      // A session that is not ready at once is asked for again.
      return try await rewritten(head, body) { text in
        guard var session = try? JSONValue(parsing: [UInt8](text.utf8)).objectValue else { return text }
        session["capabilities"] = nil
        return (try? JSONValue.object(session).jsonText()) ?? text
      }
    case (.held(.step(.transport)), .step(.answer)), (.refused(.step(.transport)), .step(.answer)):
      // Checks that carry a wrong password are never answered.
      state.withLock { if case .held = gate, head.status == 200 { $0.arrived = true } }
      return try await rewritten(head, body) { text in
        text.replacing(/ice-pwd:[^\\]{4}/) { _ in "ice-pwd:0000" }
      }
    default: return (head, body)
    }
  }

  func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
    if case .held(.upload) = pass(.upload) { try await hold() }
    return try await inner.upload(request, file: file, timeout: timeout)
  }

  private func pass(_ place: Place?) -> Gate {
    state.withLock { state in
      if let place { state.passed[place, default: 0] += 1 }
      return state.gate
    }
  }

  private func hold() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      state.release.append(continuation)
      state.arrived = true
    }
    for await _ in stream {}
    try Task.checkCancellation()
  }

  private func rewritten(
    _ head: HTTPResponse, _ body: StreamScope<Data>, _ change: (String) -> String
  ) async throws -> (HTTPResponse, StreamScope<Data>) {
    var whole = Data()
    for try await chunk in body { whole.append(chunk) }
    return answer(head.status, Data(change(String(decoding: whole, as: UTF8.self)).utf8), head.headers)
  }

  private func answer(
    _ status: Int, _ body: Data, _ headers: [String: String] = [:]
  ) -> (HTTPResponse, StreamScope<Data>) {
    let source = StreamSource<Data>(capacity: 1)
    if !body.isEmpty { source.yield(body) }
    source.finish()
    return (HTTPResponse(status: status, headers: headers), source.scope())
  }

  private static func place(of request: HTTPRequest) -> Place? {
    let path = request.url.path
    switch (request.method, path.split(separator: "/").last) {
    case ("POST", "start_session"): return .step(.session)
    case ("GET", "session"): return .step(.description)
    case ("GET", "ice_servers"): return .step(.servers)
    case ("POST", "connections"): return .step(.registration)
    case ("POST", "sdp_params"), ("PUT", "sdp_params"): return .step(.offer)
    case ("GET", "sdp_params"): return .step(.answer)
    case ("POST", "stop_session"): return .ending
    case ("PUT", _) where path.hasPrefix("/uploads/"): return .upload
    default: return nil
    }
  }
}
