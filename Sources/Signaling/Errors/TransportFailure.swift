/// Why the built-in transport has no answer.
package enum TransportFailure: Error, Hashable, Sendable {
  /// The name has no address.
  case nameNotResolved
  /// Nobody listens, or no route.
  case connectionRefused
  /// The certificate or handshake was refused; the text is the library's, without URL.
  case tls(String)
  /// No head within the time limit. `sent`: whether any byte of the request left.
  case timedOut(sent: Bool)
  /// The body stood still for its idle limit.
  case bodyStalled
  /// The connection ended before the answer, or within its head or body.
  case connectionLost(sent: Bool)
  /// The head is longer than its limit.
  case headTooLarge(limit: Int)
  /// The file could not be read, or is shorter than it was when it was opened.
  case fileUnreadable
  /// The URL is not one that can be asked.
  case unsupportedURL
  case cancelled
  /// The transport was shut down.
  case closed
  /// Anything else, by the library's own text.
  case other(String)

  /// Whether the request provably never left, so that sending it again cannot double it.
  package var neverSent: Bool {
    switch self {
    case .nameNotResolved, .connectionRefused, .tls, .unsupportedURL: true
    case .timedOut(let sent), .connectionLost(let sent): !sent
    case .bodyStalled, .headTooLarge, .fileUnreadable, .cancelled, .closed, .other: false
    }
  }

  /// For people.
  package var text: String {
    switch self {
    case .nameNotResolved: "the host name has no address"
    case .connectionRefused: "the server cannot be reached"
    case .tls(let reason): "TLS: \(reason)"
    case .timedOut: "no answer in time"
    case .bodyStalled: "the answer stood still"
    case .connectionLost: "the connection was lost"
    case .headTooLarge: "the answer's head is too long"
    case .fileUnreadable: "the file cannot be read, or changed while it was sent"
    case .unsupportedURL: "the URL cannot be used"
    case .cancelled: "cancelled"
    case .closed: "the transport is closed"
    case .other(let reason): reason
    }
  }
}
