import Foundation
import ReactorTypes
import Testing

@Suite struct ReactorErrorTests {
  @Test(arguments: [
    (400, ReactorError.Code.badRequest, false), (401, .unauthorized, false), (402, .badRequest, false),
    (403, .unauthorized, false), (404, .notFound, false), (408, .badRequest, false), (409, .conflict, false),
    (410, .badRequest, false), (422, .badRequest, false), (426, .versionMismatch, false),
    (429, .rateLimited, true),
    (500, .serverError, true), (501, .versionMismatch, false), (502, .serverError, true),
    (503, .serverError, true),
    (302, .badRequest, false), (599, .serverError, true),
  ])
  func `each status has its code, and the code says whether to try again`(
    status: Int, code: ReactorError.Code, recoverable: Bool
  ) {
    #expect(ReactorError.Code(httpStatus: status) == code)
    #expect(code.isRecoverable == recoverable)
    #expect(ReactorError(code, "x").recoverable == recoverable)
  }

  @Test func `errors match by code in a catch`() {
    do {
      throw ReactorError(.conflict, "a session runs")
    } catch ReactorError.unauthorized {
      Issue.record("matched another code")
    } catch ReactorError.conflict {
    } catch {
      Issue.record("did not match")
    }
  }

  @Test func `a model's code is kept as it is, an empty one becomes INTERNAL_ERROR`() {
    #expect(ReactorError.Code(rawValue: "peer_Failed").rawValue == "peer_Failed")
    #expect(ReactorError.Code(rawValue: "") == .internalError)
    #expect(ReactorError(ReactorError.Code(rawValue: "mine"), "x").kind == .other)
  }

  @Test func `description and message`() {
    let error = ReactorError(
      code: .rateLimited, message: "slow down", recoverable: true, status: 429, operation: "connect",
      retryAfterMS: 1000)
    #expect(error.description == "RATE_LIMITED: slow down (operation connect) (HTTP 429)")
    #expect(error.localizedDescription == "slow down")
    #expect(error.kind == .rateLimit)
  }

  @Test(arguments: [
    ("key rk_live_abcdef0123456789 refused", "key [redacted] refused"),
    ("Authorization: Bearer abcdefghijkl/mnop==", "Authorization: Bearer [redacted]"),
    ("token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig failed", "[redacted] failed"),
    (
      "PUT https://s3.test/b/k?X-Amz-Signature=deadbeef&x=1 failed",
      "PUT https://s3.test/b/k?[redacted] failed"
    ),
    ("why? because a = b", "why? because a = b"),
    ("the monkey said rk_", "the monkey said rk_"),
  ])
  func `credentials are cut out of texts`(text: String, clean: String) {
    #expect(Redaction.redact(text) == clean)
  }

  @Test func `credentials are cut out of bodies, by name and by form`() {
    let body: JSONValue = [
      "detail": "bad token my-own-secret", "jwt": "x",
      "nested": [["password": 1, "ok": "eyJabcdefghijk.l.m"]],
      "presigned_url": "https://h/p?sig=1",
    ]
    #expect(
      Redaction.redact(body, secrets: ["my-own-secret"])
        == [
          "detail": "bad token [redacted]", "jwt": "[redacted]",
          "nested": [["password": "[redacted]", "ok": "[redacted]"]], "presigned_url": "[redacted]",
        ])
    let grant = TokenGrant(jwt: "eyJsecret", expiresAt: nil, extraFields: [:])
    #expect(!"\(grant)".contains("eyJ") && !String(reflecting: grant).contains("eyJ"))
  }
}
