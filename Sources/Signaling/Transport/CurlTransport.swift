import ReactorTypes
import WireFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The built-in transport: libcurl on a thread of its own.
///
/// Connections stay open between requests, and HTTP/2 is used where a server offers it over TLS. Follows no
/// redirects, keeps no cookies and no cache. At most 80 KiB of a body wait for their reader; the server is held
/// back beyond that. See `docs/http.md` for why this is not `URLSession`.
package final class CurlTransport: HTTPTransport {
  private let loop: CurlLoop
  private let bodyIdleLimit: Interval

  /// - Parameter bodyIdleLimit: how long a body may stand still while its reader waits.
  package init(trust: HTTPTrust = HTTPTrust(), bodyIdleLimit: Duration = .seconds(30)) {
    loop = CurlLoop(trust: trust)
    self.bodyIdleLimit = Interval(bodyIdleLimit)
  }

  deinit {
    loop.stop()
  }

  /// Ends all requests and closes all connections; later requests fail.
  package func close() {
    loop.stop()
  }

  package func send(
    _ request: HTTPRequest, timeout: Duration
  ) async throws -> (HTTPResponse, StreamScope<Data>) {
    let transfer = CurlTransfer(
      request: request, file: nil, timeout: Interval(timeout), bodyIdleLimit: bodyIdleLimit)
    let head = try await head(of: transfer)
    let (loop, keepAlive) = (loop, self)
    let body = StreamScope<Data>(
      next: {
        // The loop must outlive the transport's last reader.
        _ = keepAlive
        return try await transfer.nextChunk(
          resume: { loop.resume(transfer) }, cancel: { loop.cancel(transfer) })
      },
      onClose: {
        transfer.discard()
        loop.cancel(transfer)
      })
    return (head, body)
  }

  package func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
    guard let file = CurlFile(path: file.path) else { throw TransportFailure.fileUnreadable }
    let transfer = CurlTransfer(
      request: request, file: file, timeout: Interval(timeout), bodyIdleLimit: bodyIdleLimit)
    let head = try await head(of: transfer)
    // What the server has to say beyond its status is of no use here. An answer that came before the whole file
    // had left ends the sending.
    if file.isSent { transfer.drain() } else { loop.cancel(transfer) }
    return head
  }

  private func head(of transfer: CurlTransfer) async throws -> HTTPResponse {
    let loop = loop
    return try await transfer.head(start: { loop.add(transfer) }, cancel: { loop.cancel(transfer) })
  }
}
