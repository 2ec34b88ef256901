import WireFormat

/// A `stun:`, `stuns:`, `turn:` or `turns:` URI (RFC 7064, RFC 7065).
package struct ICEServerURI: Sendable, Hashable {
  package enum Scheme: String, Sendable, Hashable {
    case stun, stuns, turn, turns

    package var isSecure: Bool { self == .stuns || self == .turns }
    package var isTURN: Bool { self == .turn || self == .turns }
  }

  package enum Transport: String, Sendable, Hashable {
    case udp, tcp
  }

  package let scheme: Scheme
  /// A name or an address, IPv6 without brackets.
  package let host: String
  package let port: UInt16
  package let transport: Transport

  package init(scheme: Scheme, host: String, port: UInt16? = nil, transport: Transport? = nil) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? (scheme.isSecure ? 5349 : 3478)
    self.transport = transport ?? (scheme.isSecure ? .tcp : .udp)
  }

  /// Parses a URI. Slashes after the scheme are taken though the RFCs have none: services hand them out.
  package init(_ text: String) throws(ICEServerURIError) {
    guard let colon = text.firstIndex(of: ":") else { throw .missingScheme }
    let schemeText = text[..<colon].lowercased()
    guard let scheme = Scheme(rawValue: schemeText) else {
      throw .unknownScheme(String(schemeText.prefix(32)))
    }
    var rest = text[text.index(after: colon)...]
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    var transport: Transport?
    if let mark = rest.firstIndex(of: "?") {
      guard scheme.isTURN else { throw .unexpectedQuery }
      transport = try ICEServerURI.transport(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    let (host, portText) = try ICEServerURI.split(rest)
    var port: UInt16?
    if let portText {
      guard !portText.isEmpty, portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt16(portText), number > 0
      else { throw .invalidPort }
      port = number
    }
    self.init(scheme: scheme, host: host, port: port, transport: transport)
  }

  private static func transport(_ query: Substring) throws(ICEServerURIError) -> Transport {
    let parts = query.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "transport" else { throw .unexpectedQuery }
    guard let transport = Transport(rawValue: parts[1].lowercased()) else { throw .unknownTransport }
    return transport
  }

  private static func split(_ text: Substring) throws(ICEServerURIError) -> (String, Substring?) {
    guard !text.isEmpty else { throw .missingHost }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]"),
        let address = IPAddress(String(text[text.index(after: text.startIndex)..<end])), !address.isIPv4
      else { throw .invalidHost }
      let after = text[text.index(after: end)...]
      if after.isEmpty { return (address.description, nil) }
      guard after.first == ":" else { throw .invalidHost }
      return (address.description, after.dropFirst())
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // More than one colon is an IPv6 address without its brackets.
    guard parts.count <= 2 else { throw .invalidHost }
    let host = parts[0]
    guard !host.isEmpty else { throw .missingHost }
    guard host.utf8.count <= 255, isName(host) else { throw .invalidHost }
    return (String(host), parts.count == 2 ? parts[1] : nil)
  }

  private static func isName(_ host: Substring) -> Bool {
    host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

extension ICEServerURI: CustomStringConvertible {
  package var description: String {
    let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let query = scheme.isTURN ? "?transport=\(transport.rawValue)" : ""
    return "\(scheme.rawValue):\(shown):\(port)\(query)"
  }
}
