import Foundation
import Reactor
import ReactorTypes
import Synchronization
import TestRecordings

/// Answers the client's HTTP from a recording of a real runtime. What cannot be recorded is made: the SDP answer
/// comes from a peer of the offer's own, and no ICE server is named, as nothing may leave this machine.
final class ReplayTransport: HTTPTransport {
  private struct State {
    var isRunning = false
    var answers: [String: String] = [:]
    var uploads = 0
    var unanswered: [String] = []
  }

  private let exchanges: [RecordedExchange]
  private let makePeer: @Sendable (String, [String: String]) async throws -> String
  private let state = Mutex(State())

  /// - Parameter makePeer: answers an offer, given the track name of each mid.
  init(
    _ exchanges: [RecordedExchange],
    makePeer: @escaping @Sendable (String, [String: String]) async throws -> String
  ) {
    self.exchanges = exchanges
    self.makePeer = makePeer
  }

  /// Whether a session is running, as far as the requests say.
  var isRunning: Bool { state.withLock { $0.isRunning } }
  /// Requests that the recording has no answer for.
  var unanswered: [String] { state.withLock { $0.unanswered } }

  func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
    let path = request.url.path
    switch (request.method, path.split(separator: "/").last) {
    case ("POST", "start_session"): state.withLock { $0.isRunning = true }
    case ("POST", "stop_session"): state.withLock { $0.isRunning = false }
    case ("GET", "session"):
      // Joining was not recorded: the session is described as at its start.
      if let start = recorded("POST", "/start_session") { return reply(200, Data(start.answer.utf8)) }
    case ("GET", "ice_servers"): return reply(200, Data(#"{"ice_servers":[]}"#.utf8))
    case ("POST", "sdp_params"), ("PUT", "sdp_params"): try await takeOffer(request)
    case ("GET", "sdp_params"):
      let answer = state.withLock { $0.answers.removeValue(forKey: path) }
      guard let answer else { return reply(202, Data()) }
      return reply(200, Data(answer.utf8))
    case ("POST", "ice_candidates"):
      // Which candidates a machine has was not recorded: any are taken.
      return reply(200, Data("{}".utf8))
    case ("POST", "connections"):
      // A second client gets the next number, as the runtime gives it.
      break
    case ("POST", "uploads"):
      // Several uploads were recorded: each is answered in its turn.
      let turn = state.withLock { state in
        defer { state.uploads += 1 }
        return state.uploads
      }
      let all = exchanges.filter { $0.method == "POST" && $0.path == path }
      if !all.isEmpty { return reply(201, Data(all[turn % all.count].answer.utf8)) }
    default: break
    }
    let query = request.url.query.map { "?\($0)" } ?? ""
    guard let match = recorded(request.method, path + query) else {
      state.withLock { $0.unanswered.append("\(request.method) \(path)\(query)") }
      return reply(404, Data(#"{"detail":"not recorded"}"#.utf8))
    }
    return reply(match.status, Data(match.answerBytes ?? Array(match.answer.utf8)))
  }

  func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
    try await send(request, timeout: timeout).0
  }

  /// The recorded exchange, if possible one that succeeded rather than one that said "later".
  private func recorded(_ method: String, _ path: String) -> RecordedExchange? {
    let all = exchanges.filter { $0.method == method && $0.path == path }
    return all.first { $0.status == 200 } ?? all.first
  }

  private func takeOffer(_ request: HTTPRequest) async throws {
    let body = try JSONDecoder().decode(JSONValue.self, from: request.body ?? Data())
    var names: [String: String] = [:]
    for entry in body["track_mapping"]?.arrayValue ?? [] {
      if let mid = entry["mid"]?.stringValue, let name = entry["name"]?.stringValue { names[mid] = name }
    }
    let sdp = try await makePeer(body["sdp_offer"]?.stringValue ?? "", names)
    let number = request.url.path.split(separator: "/").dropLast().last.flatMap { Double($0) } ?? 0
    let answer: JSONValue = ["sdp_answer": .string(sdp), "connection_id": .number(number)]
    let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    state.withLock { $0.answers[request.url.path] = text }
  }

  private func reply(_ status: Int, _ body: Data) -> (HTTPResponse, StreamScope<Data>) {
    let source = StreamSource<Data>(capacity: 1)
    if !body.isEmpty { source.yield(body) }
    source.finish()
    return (HTTPResponse(status: status, headers: [:]), source.scope())
  }
}
