/// An ICE candidate as text carries it (RFC 8839 section 5.1), in a description or trickled.
///
/// Nothing here is judged: whether a transport, type or address can be used is ICE's decision.
package struct CandidateAttribute: Hashable, Sendable {
  package enum Transport: Hashable, Sendable {
    case udp, tcp
    /// Any other word, as written.
    case other(String)
  }

  package enum Kind: Hashable, Sendable {
    case host, serverReflexive, peerReflexive, relay
    /// Any other word, as written.
    case other(String)
  }

  package enum TCPType: String, Hashable, Sendable {
    case active, passive
    case simultaneousOpen = "so"
  }

  package struct Extension: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// May be empty: some cameras write none.
  package var foundation: String
  /// 1 is RTP (or everything, with rtcp-mux), 2 is RTCP.
  package var component: UInt16
  package var transport: Transport
  package var priority: UInt32
  /// An IPv4 or IPv6 address, or a host name such as mDNS's `….local`.
  package var connectionAddress: String
  package var port: UInt16
  package var kind: Kind
  package var relatedAddress: String?
  package var relatedPort: UInt16?
  package var tcpType: TCPType?
  /// All other pairs in the order written: `generation`, `ufrag`, `network-id`, `network-cost`, …
  package var extensions: [Extension]

  package init(
    foundation: String, component: UInt16 = 1, transport: Transport = .udp, priority: UInt32,
    connectionAddress: String, port: UInt16, kind: Kind, relatedAddress: String? = nil,
    relatedPort: UInt16? = nil, tcpType: TCPType? = nil, extensions: [Extension] = []
  ) {
    self.foundation = foundation
    self.component = component
    self.transport = transport
    self.priority = priority
    self.connectionAddress = connectionAddress
    self.port = port
    self.kind = kind
    self.relatedAddress = relatedAddress
    self.relatedPort = relatedPort
    self.tcpType = tcpType
    self.extensions = extensions
  }

  /// The value of the first pair called `name`.
  package func extensionValue(_ name: String) -> String? {
    extensions.first { $0.name == name }?.value
  }

  /// From `a=candidate:…`, `candidate:…` or the bare fields; blanks and line ends around it are forgiven.
  package init(parsing text: String) throws(SDPError) {
    var rest = Substring(text).trimmingLineEnd
    while let first = rest.utf8.first, first == 0x20 || first == 0x09 {
      rest = Substring(rest.utf8.dropFirst())
    }
    if rest.utf8.starts(with: "a=".utf8) { rest = Substring(rest.utf8.dropFirst(2)) }
    let hasName = rest.utf8.starts(with: "candidate:".utf8)
    if hasName { rest = Substring(rest.utf8.dropFirst("candidate:".utf8.count)) }
    guard text.utf8.count <= CandidateAttribute.longestText, let candidate = CandidateAttribute(fields: rest)
    else {
      throw .malformedAttribute(
        name: "candidate", section: nil, line: 1,
        expected: "<foundation> <component> <transport> <priority> <address> <port> typ <type>")
    }
    self = candidate
  }

  private static let longestText = 4096

  /// From what stands behind `candidate:`. A blank in front (or no eighth field) means an empty foundation.
  init?(fields text: Substring) {
    var tokens = text.tokens[...]
    // "1 udp 2113939711 …" instead of "f 1 udp …": the third field tells where the transport's priority is.
    let lacksFoundation =
      tokens.count >= 7 && tokens[tokens.startIndex + 5] == "typ"
    if lacksFoundation { tokens = [""] + tokens }
    guard tokens.count >= 8, tokens[6] == "typ",
      let component = UInt16(decimal: tokens[1]), (1...256).contains(component),
      let priority = UInt32(decimal: tokens[3]),
      let port = UInt16(decimal: tokens[5]), tokens[4].utf8.count <= 255
    else { return nil }
    self.init(
      foundation: String(tokens[0]), component: component, transport: Transport(tokens[2]),
      priority: priority,
      connectionAddress: String(tokens[4]), port: port, kind: Kind(tokens[7]))
    var pairs = tokens.dropFirst(8)
    // A name without a value at the end is disregarded.
    while pairs.count >= 2 {
      add(name: String(pairs.removeFirst()), value: pairs.removeFirst())
    }
  }

  private mutating func add(name: String, value: Substring) {
    switch name {
    case "raddr" where relatedAddress == nil && value.utf8.count <= 255: relatedAddress = String(value)
    case "rport" where relatedPort == nil && UInt16(decimal: value) != nil:
      relatedPort = UInt16(decimal: value)
    case "tcptype" where tcpType == nil && TCPType(rawValue: String(value)) != nil:
      tcpType = TCPType(rawValue: String(value))
    default: extensions.append(Extension(name: name, value: String(value)))
    }
  }
}

extension CandidateAttribute: CustomStringConvertible {
  /// `candidate:…` without `a=`, as trickled candidates are written.
  package var description: String { "candidate:" + value }

  /// What stands behind `candidate:`.
  var value: String {
    var text = "\(foundation) \(component) \(transport) \(priority) \(connectionAddress) \(port) typ \(kind)"
    if let relatedAddress { text += " raddr \(relatedAddress)" }
    if let relatedPort { text += " rport \(relatedPort)" }
    if let tcpType { text += " tcptype \(tcpType.rawValue)" }
    for pair in extensions { text += " \(pair.name) \(pair.value)" }
    return text
  }
}

extension CandidateAttribute.Transport: CustomStringConvertible {
  init(_ word: Substring) {
    switch word.asciiLowercased {
    case "udp": self = .udp
    case "tcp": self = .tcp
    default: self = .other(String(word))
    }
  }

  package var description: String {
    switch self {
    case .udp: "udp"
    case .tcp: "tcp"
    case .other(let word): word
    }
  }
}

extension CandidateAttribute.Kind: CustomStringConvertible {
  init(_ word: Substring) {
    switch word.asciiLowercased {
    case "host": self = .host
    case "srflx": self = .serverReflexive
    case "prflx": self = .peerReflexive
    case "relay": self = .relay
    default: self = .other(String(word))
    }
  }

  package var description: String {
    switch self {
    case .host: "host"
    case .serverReflexive: "srflx"
    case .peerReflexive: "prflx"
    case .relay: "relay"
    case .other(let word): word
    }
  }
}
