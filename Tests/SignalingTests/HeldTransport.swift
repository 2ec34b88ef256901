import Foundation
import ReactorTypes

/// Keeps its one request until the test releases it or the request's task is cancelled.
final class HeldTransport: HTTPTransport {
  private let arrivals = AsyncStream<Void>.makeStream()
  private let replies = AsyncStream<StubTransport.Reply>.makeStream()

  /// Returns once the request is there.
  func arrival() async {
    for await _ in arrivals.stream { return }
  }

  func release(_ reply: StubTransport.Reply) {
    replies.continuation.yield(reply)
  }

  func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
    arrivals.continuation.yield()
    for await case .answer(let status, let body, let headers) in replies.stream {
      return (HTTPResponse(status: status, headers: headers), StubTransport.body([Data(body.utf8)], nil))
    }
    throw CancellationError()
  }

  func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
    try await send(request, timeout: timeout).0
  }
}
