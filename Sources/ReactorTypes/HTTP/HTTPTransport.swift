#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the SDK reaches HTTP servers. The built-in one is used unless the configuration names another.
///
/// An implementation follows no redirects (a redirected request would carry its `Authorization` to another
/// host), keeps no cookies and no cache. Any status is an answer, not an error; an error means that there was no
/// answer.
public protocol HTTPTransport: Sendable {
  /// Sends `request` and returns once the head of the answer is there; the body follows as a stream.
  ///
  /// - Parameter timeout: until the head has arrived. The body has limits of its own.
  func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>)

  /// Sends `file` as the body of `request`, without holding it in memory, and returns the head of the answer.
  ///
  /// - Parameter timeout: how long nothing may move: no piece of the file accepted, and no answer.
  func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse
}
