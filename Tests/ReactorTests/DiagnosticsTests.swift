import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

/// What the SDK says about itself: the log that an app can take, and the dump for bug reports.
@Suite(.serialized) struct DiagnosticsTests {
  private static let secrets = [
    "rk_live_0123456789abcdef", "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.signature", "X-Amz-Signature", "ice-pwd",
  ]

  /// Answers everything with texts that are full of credentials.
  private struct LeakyTransport: HTTPTransport {
    func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
      let told = DiagnosticsTests.secrets.joined(separator: " ")
      throw ReactorErrorText("no route; \(told); Bearer plain-token; https://s3.test/a?X-Amz-Signature=abc")
    }
    func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
      throw CancellationError()
    }
  }

  private struct ReactorErrorText: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  @Test func `a session's log and dump tell its steps and no secrets`() async throws {
    let lines = Log<ReactorLog.Entry>()
    ReactorLog.setHandler { lines.add($0) }
    defer { ReactorLog.setHandler(nil) }
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    var configuration = ReactorConfiguration()
    configuration.apiURL = runtime.url
    configuration.local = true
    configuration.jwt = DiagnosticsTests.secrets[1]
    let reactor = try Reactor(
      model: "reactor/echo", tokens: MemoryTokenStore(DiagnosticsTests.secrets[1]),
      configuration: configuration)
    try await reactor.connect()
    _ = try await reactor.uploadData(Data([1, 2, 3]), name: "a.bin", mimeType: "application/octet-stream")
    let ready = reactor.debugDump
    #expect(ready.contains("status ready") && ready.contains("reactor/echo"))
    #expect(ready.contains("session 00000000"))
    #expect(ready.contains("main_video") && ready.contains("recvonly"))
    for step in AttemptStep.allCases { #expect(ready.contains("connect: \(step.rawValue)")) }
    try await reactor.disconnect()
    #expect(lines.all.contains { $0.message == "status ready" && $0.level == .info })
    for text in lines.all.map(\.message) + [ready, reactor.debugDump] {
      for secret in DiagnosticsTests.secrets { #expect(!text.contains(secret)) }
    }
    await runtime.stop()
  }

  @Test func `what a failure says is cleaned before it reaches error, log or dump`() async throws {
    let lines = Log<String>()
    ReactorLog.setHandler { lines.add($0.message) }
    defer { ReactorLog.setHandler(nil) }
    var configuration = ReactorConfiguration()
    configuration.http = LeakyTransport()
    configuration.jwt = "plain-token"
    configuration.requests.retry = RetryPolicy.none
    let reactor = try Reactor(model: "acme/world", tokens: nil, configuration: configuration)
    let error = await failure { try await reactor.connect() }
    #expect(error?.code == .networkError)
    #expect(lines.all.contains { $0.contains("NETWORK_ERROR") })
    for text in lines.all + [reactor.debugDump, error.map { "\($0)" } ?? ""] {
      for secret in ["rk_live", "eyJhbGciOiJIUzI1NiJ9", "plain-token", "Signature=abc"] {
        #expect(!text.contains(secret), "\(text)")
      }
    }
  }

  @Test func `nothing is logged to nobody, and the dump is bounded`() async throws {
    var configuration = ReactorConfiguration()
    configuration.http = LeakyTransport()
    configuration.requests.retry = RetryPolicy.none
    let reactor = try Reactor(model: "acme/world", tokens: nil, configuration: configuration)
    for _ in 0..<200 { _ = await failure { try await reactor.connect() } }
    #expect(reactor.debugDump.split(separator: "\n").count <= 300)
  }
}
