import Foundation
import Reactor
import TestSupport
import Testing

/// What `connect` and `fetchJWT` say about a server that misbehaves, over real sockets.
@Suite struct HTTPFailureTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let status: Int
    let code: ReactorError.Code
    var retryAfter: String?

    var testDescription: String { "\(status) \(code)" }
  }

  private static let answers = [
    Answer(status: 401, code: .unauthorized), Answer(status: 403, code: .unauthorized),
    Answer(status: 404, code: .notFound), Answer(status: 409, code: .conflict),
    Answer(status: 422, code: .badRequest), Answer(status: 426, code: .versionMismatch),
    Answer(status: 429, code: .rateLimited, retryAfter: "7"), Answer(status: 500, code: .serverError),
    Answer(status: 501, code: .versionMismatch), Answer(status: 503, code: .serverError, retryAfter: "2"),
  ]

  private func client(_ server: TestServer, timeout: Duration = .seconds(10)) throws -> Reactor {
    var configuration = ReactorConfiguration()
    configuration.apiURL = server.url
    configuration.jwt = "eyJhbGciOiJIUzI1NiJ9.secret"
    configuration.requests.retry = RetryPolicy.none
    configuration.requests.timeout = timeout
    return try Reactor(model: "acme/world", tokens: nil, configuration: configuration)
  }

  private func checkState(_ reactor: Reactor, _ error: ReactorError?) {
    #expect(error?.operation == "connect")
    #expect(error?.message.contains("secret") == false)
    #expect(reactor.status == .disconnected && reactor.sessionID == nil)
  }

  @Test(arguments: answers)
  func `each status has its code, its hint and its body`(answer: Answer) async throws {
    let server = try TestServer { _, connection in
      connection.answer(
        answer.status, #"{"detail":"no","token":"eyJhbGciOiJIUzI1NiJ9.secret"}"#,
        headers: answer.retryAfter.map { ["Retry-After": $0] } ?? [:])
    }
    defer { server.stop() }
    let reactor = try client(server)
    let error = await failure { try await reactor.connect() }
    checkState(reactor, error)
    #expect(error?.code == answer.code)
    let isVersion = answer.code == .versionMismatch
    #expect(error?.status == (isVersion ? nil : answer.status))
    #expect(
      error?.retryAfterMS == (isVersion ? nil : answer.retryAfter.flatMap(Double.init).map { $0 * 1000 }))
    #expect(error?.recoverable == [.rateLimited, .serverError].contains(answer.code))
    #expect(error?.body?["detail"] == "no")
    #expect(error?.body?["token"]?.stringValue?.contains("secret") == false)
    #expect(server.requests.count == 1, "what the app wants tried once is tried once")
  }

  @Test func `garbage for JSON cannot be decoded`() async throws {
    let server = try TestServer { _, connection in connection.answer(201, "<html>not what you think") }
    defer { server.stop() }
    let reactor = try client(server)
    let error = await failure { try await reactor.connect() }
    checkState(reactor, error)
    #expect(error?.code == .decodeFailed)
  }

  @Test func `garbage for HTTP, nothing at all, and half a body are network errors`() async throws {
    for words in [
      "\u{1}\u{2}\u{3} garbage\r\n\r\n", "", "HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{\"sess",
    ] {
      let server = try TestServer { _, connection in
        if !words.isEmpty { connection.write(words) }
        connection.close()
      }
      defer { server.stop() }
      let reactor = try client(server)
      let error = await failure { try await reactor.connect() }
      checkState(reactor, error)
      #expect(error?.code == .networkError)
      #expect(error?.recoverable == true)
    }
  }

  @Test func `a server that only listens is a timeout, a slow one is waited for`() async throws {
    let silent = try TestServer { _, _ in }
    defer { silent.stop() }
    let reactor = try client(silent, timeout: .milliseconds(200))
    let error = await failure { try await reactor.connect() }
    checkState(reactor, error)
    #expect(error?.code == .requestTimeout)

    // Byte by byte, the whole head and body: the limit of an attempt ends at the head, so this gets through to
    // what the answer says.
    let slow = try TestServer { _, connection in
      for byte in Array("HTTP/1.1 404 Not Found\r\nContent-Length: 15\r\n\r\n{\"detail\":\"no\"}".utf8) {
        connection.write([byte])
        usleep(2000)
      }
    }
    defer { slow.stop() }
    let patient = try client(slow)
    #expect(await failure { try await patient.connect() }?.code == .notFound)
  }

  @Test func `an exchange of a key fails by the same table and keeps the key to itself`() async throws {
    for answer in HTTPFailureTests.answers {
      let server = try TestServer { _, connection in
        connection.answer(answer.status, #"{"detail":"key rk_live_secret is no good"}"#)
      }
      defer { server.stop() }
      let error = await failure {
        var request = TokenRequest(apiKey: "rk_live_secret")
        request.apiURL = server.url
        request.options.retry = RetryPolicy.none
        _ = try await Reactor.mintToken(request)
      }
      #expect(error?.code == answer.code)
      #expect(error?.operation == "fetch_jwt")
      #expect(error.map { "\($0)" }?.contains("rk_live") == false)
    }
  }

  @Test func `a refused port is a network error that can be tried again`() async throws {
    let server = try TestServer { _, _ in }
    let url = server.url
    server.stop()
    let reactor = try Reactor(model: "acme/world", jwt: "t", apiURL: url)
    let error = await failure { try await reactor.connect() }
    #expect(error?.code == .networkError)
    #expect(error?.recoverable == true)
  }
}
