#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes

/// Where the platform listens, and how its URLs are made.
package struct Endpoint: Hashable, Sendable {
  /// Without a trailing slash.
  package let base: String
  package let isLocal: Bool
  /// Scheme, host and port, lower case, with the port that the scheme implies.
  private let origin: String

  /// nil: not an http(s) URL with a host, or one with a user, query or fragment.
  ///
  /// - Parameter isLocal: a runtime on this network. The hosted default URL then means the local default.
  package init?(apiURL: String, isLocal: Bool) {
    var text = isLocal && apiURL == ReactorDefaults.apiURL ? ReactorDefaults.localAPIURL : apiURL
    while text.hasSuffix("/") { text.removeLast() }
    guard let url = URL(string: text), let origin = Endpoint.origin(of: url), url.user == nil,
      url.password == nil, url.query == nil, url.fragment == nil
    else { return nil }
    base = text
    self.isLocal = isLocal
    self.origin = origin
  }

  /// The URL of `path`, which starts with a slash and is already encoded.
  package func url(_ path: String) -> URL? {
    URL(string: base + path)
  }

  /// Whether `url` is served by the same scheme, host and port, so that a token may be sent there.
  package func isOwnOrigin(_ url: URL) -> Bool {
    Endpoint.origin(of: url) == origin
  }

  /// `url` with scheme, host and port of this endpoint: a local runtime may name itself `localhost`, wherever the
  /// client reached it.
  package func rebased(_ url: URL) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let own = URLComponents(string: base)
    else { return url }
    parts.scheme = own.scheme
    parts.host = own.host
    parts.port = own.port
    return parts.url ?? url
  }

  /// One segment of a path, percent-encoded; `/`, `?`, `#` and dots-only names included.
  package static func segment(_ text: String) -> String {
    var result = ""
    let isDots = text == "." || text == ".."
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !isDots:
        result.append(".")
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private static func origin(of url: URL) -> String? {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
    else { return nil }
    return "\(scheme)://\(host):\(url.port ?? (scheme == "http" ? 80 : 443))"
  }
}
