#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One HTTP request, as a custom ``HTTPTransport`` gets it.
public struct HTTPRequest: Sendable {
  /// `GET`, `POST`, `PUT` or `DELETE`.
  public var method: String
  /// An absolute http or https URL.
  public var url: URL
  /// Header fields; names in any case.
  public var headers: [String: String]
  /// The body, if there is one in memory.
  public var body: Data?
  /// Whether a transport may send the request again by itself when a kept-alive connection turns out dead.
  package var mayReplay = true

  /// A request without headers and body.
  public init(method: String, url: URL) {
    self.method = method
    self.url = url
    headers = [:]
    body = nil
  }
}
