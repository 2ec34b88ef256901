import Foundation
import ReactorTypes
import Signaling
import TestRecordings
import TestSupport
import Testing
import WireFormat

/// Plays a recorded course of HTTP back: each request must be the recorded one.
@Suite struct RecordedExchangeTests {
  @Test(arguments: [
    "runtime-3.10/VP8/http.jsonl", "runtime-3.10/VP9/http.jsonl",
    "reactor/sdk-1.13_runtime-3.10/session/http.json",
    "reactor/sdk-0.8_runtime-3.10/http.json", "reactor/sdk-0.8_runtime-2.10/http.json",
  ])
  func `a recorded course of connecting is repeated request for request`(file: String) async throws {
    let exchanges = try RecordedExchange.load(file)
    func recorded(_ method: String, _ suffix: String, _ status: Int? = nil) throws -> RecordedExchange {
      try #require(
        exchanges.first {
          $0.method == method && $0.path.hasSuffix(suffix) && (status ?? $0.status) == $0.status
        })
    }
    let start = try recorded("POST", "/start_session")
    let stub = StubTransport { request, _ in
      let path = request.url.path
      let match =
        exchanges.last { $0.method == request.method && $0.path == path && $0.status == 200 }
        ?? exchanges.first { $0.method == request.method && $0.path == path }
      guard let match else { return .answer(404, "{}") }
      return .answer(match.status, match.answer)
    }
    let client = try makeClient(stub, local: true, url: "http://127.0.0.1:8080")
    let session = try await client.createSession(SessionRequest(model: "peer"))
    #expect(session.isReady && session.capabilities?.tracks.count == 4 && session.skippedTracks.isEmpty)
    #expect(session.raw == (try JSONValue(parsing: start.answer)))
    #expect(try await client.readySession(session.id, known: session) == session)
    #expect(try await client.iceServers(session: session.id).first?.uris.first?.hasPrefix("stun:") == true)
    let connection = try await client.registerConnection(session: session.id)
    let offer = try recorded("POST", "/\(connection)/sdp_params")
    let mapping = (offer.body?["track_mapping"]?.arrayValue ?? []).compactMap { entry -> TrackMapping? in
      guard let mid = entry["mid"]?.stringValue, let name = entry["name"]?.stringValue,
        let kind = entry["kind"]?.stringValue.flatMap(TrackKind.init(rawValue:)),
        let direction = entry["direction"]?.stringValue.flatMap(TrackDirection.init(rawValue:))
      else { return nil }
      return TrackMapping(mid: mid, name: name, kind: kind, direction: direction)
    }
    #expect(mapping.count == 4)
    let sdp = offer.body?["sdp_offer"]?.stringValue ?? ""
    try await client.sendOffer(sdp, mapping: mapping, session: session.id, connection: connection)
    let sent = try JSONValue(parsing: [UInt8](stub.requests.last?.body ?? Data()))
    #expect(sent["sdp_offer"] == offer.body?["sdp_offer"])
    #expect(sent["track_mapping"] == offer.body?["track_mapping"])
    let answer = try await client.answer(session: session.id, connection: connection)
    #expect(answer.sdp.hasPrefix("v=0") && answer.connectionID == connection)
    #expect(
      stub.requests.allSatisfy { request in
        exchanges.contains { $0.method == request.method && $0.path == request.url.path }
      })
  }
}
