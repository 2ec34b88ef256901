import Foundation
import ReactorTypes
import Signaling
import Testing
import WireFormat

@Suite struct TokenMintTests {
  private func mint(
    _ reply: StubTransport.Reply, _ adjust: (inout TokenRequest) -> Void = { _ in }
  ) async throws -> (TokenGrant, [HTTPRequest]) {
    let stub = StubTransport { _, _ in reply }
    var request = TokenRequest(apiKey: "rk_live_abcdef012345")
    request.apiURL = "https://api.test/"
    request.options.retry = RetryPolicy.none
    adjust(&request)
    let grant = try await TokenMint(transport: stub, clock: VirtualClock()).mint(request)
    return (grant, stub.requests)
  }

  @Test func `an unscoped token is asked for with the literal null`() async throws {
    let (grant, requests) = try await mint(
      .answer(200, #"{"jwt":"eyJx","expires_at":"2026-11-30T08:00:00.5Z","plan":"pro"}"#))
    #expect(grant.jwt == "eyJx" && grant.extraFields == ["plan": "pro"])
    #expect(grant.expiresAt == Date(timeIntervalSince1970: 1_796_025_600.5))
    let request = try #require(requests.first)
    #expect(request.url.absoluteString == "https://api.test/tokens" && request.body == Data("null".utf8))
    #expect(
      request.headers["Reactor-API-Key"] == "rk_live_abcdef012345" && request.headers["Authorization"] == nil)
  }

  @Test func `Unix times and offsets are moments too, other texts are kept`() async throws {
    #expect(
      try await mint(.answer(200, #"{"jwt":"x","expires_at":1796025600}"#)).0.expiresAt?.timeIntervalSince1970
        == 1_796_025_600)
    #expect(
      try await mint(.answer(200, #"{"jwt":"x","expires_at":1796025600000}"#)).0.expiresAt?
        .timeIntervalSince1970 == 1_796_025_600)
    #expect(
      try await mint(.answer(200, #"{"jwt":"x","expires_at":"2026-11-30T10:00:00+02:00"}"#)).0.expiresAt?
        .timeIntervalSince1970 == 1_796_025_600)
    let odd = try await mint(.answer(200, #"{"jwt":"x","expires_at":"soon"}"#)).0
    #expect(odd.expiresAt == nil && odd.extraFields == ["expires_at": "soon"])
  }

  @Test func `a refusal keeps the key to itself`() async throws {
    do {
      _ = try await mint(.answer(401, #"{"detail":"unknown key rk_live_abcdef012345"}"#))
      Issue.record("minted")
    } catch let error as SignalingError {
      let mapped = error.reactorError(operation: "fetch_jwt")
      #expect(mapped.code == .unauthorized && !"\(mapped) \(error)".contains("abcdef"))
    }
  }

  @Test func `no token in the answer is DECODE_FAILED, nonsense is refused here`() async throws {
    for body in ["", "{}", "[]", #"{"jwt":""}"#, #"{"jwt":"a\r\nb"}"#, "<html>"] {
      do {
        _ = try await mint(.answer(200, body))
        Issue.record("minted from \(body)")
      } catch let error as SignalingError {
        #expect(error.reactorError(operation: nil).code == .decodeFailed)
      }
    }
    for adjust: @Sendable (inout TokenRequest) -> Void in [
      { $0.apiKey = "" }, { $0.apiURL = "nonsense" }, { $0.maxSessionDuration = .seconds(0) },
      { $0.maxSessionDuration = .seconds(86_401) }, { $0.apiKey = "rk_\r\nX: y" },
    ] {
      do {
        _ = try await mint(.answer(200, #"{"jwt":"x"}"#), adjust)
        Issue.record("minted")
      } catch let error as SignalingError {
        #expect(error.reactorError(operation: nil).code == .badRequest)
      }
    }
  }
}
