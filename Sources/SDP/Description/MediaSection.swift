/// One `m=` line and everything below it.
///
/// The typed properties read from ``lines``, which hold the section as written; a property that is nil or empty
/// means that the section itself doesn't say it. What BUNDLE or the session part says in its place, ask
/// ``SessionDescription`` for.
package struct MediaSection: AttributeContainer, Hashable, Sendable {
  package var kind: MediaKind
  package var port: UInt16
  /// The count behind a slash, which WebRTC never writes.
  package var portCount: UInt16?
  /// Such as `UDP/TLS/RTP/SAVPF` or `UDP/DTLS/SCTP`.
  package var transportProtocol: String
  /// Payload types as text, or `webrtc-datachannel`.
  package var formats: [String]
  package var lines: [SDPLine]

  package init(
    kind: MediaKind, port: UInt16, portCount: UInt16? = nil, transportProtocol: String, formats: [String],
    lines: [SDPLine] = []
  ) {
    self.kind = kind
    self.port = port
    self.portCount = portCount
    self.transportProtocol = transportProtocol
    self.formats = formats
    self.lines = lines
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count >= 3 else { return nil }
    var port = tokens[1]
    var count: UInt16?
    if let (before, after) = port.halves(at: UInt8(ascii: "/")) {
      guard let number = UInt16(decimal: after) else { return nil }
      count = number
      port = before
    }
    guard let number = UInt16(decimal: port) else { return nil }
    self.init(
      kind: MediaKind(String(tokens[0])), port: number, portCount: count,
      transportProtocol: String(tokens[2]),
      formats: tokens.dropFirst(3).map { String($0) })
  }

  /// The `m=` line without its line end.
  package var mediaLine: String {
    let ports = portCount.map { "\(port)/\($0)" } ?? "\(port)"
    return (["m=\(kind)", ports, transportProtocol] + formats).joined(separator: " ")
  }

  /// Port 0, whatever else the section says. In an offer, ``isBundleOnly`` sections have port 0 too.
  package var isRejected: Bool { port == 0 }

  /// In an offer: port 0 means "in the bundle or not at all" (RFC 9143 section 6), not rejected.
  package var isBundleOnly: Bool { port == 0 && has(.bundleOnly) }

  package var mid: String? { first { if case .mid(let text) = $0 { text } else { nil } } }

  /// Whether this is a data-channel section, in today's form or the one before RFC 8841.
  package var isDataChannel: Bool {
    kind == .application
      && transportProtocol.asciiLowercased.utf8.reversed().starts(with: "/sctp".utf8.reversed())
      && (formats.contains("webrtc-datachannel") || sctpPort != nil)
  }

  /// Whether this is RTP over DTLS-SRTP.
  package var isSecureRTP: Bool {
    (kind == .audio || kind == .video)
      && ["udp/tls/rtp/savpf", "udp/tls/rtp/savp", "tcp/dtls/rtp/savpf", "rtp/savpf"]
        .contains(transportProtocol.asciiLowercased)
  }

  package var candidates: [CandidateAttribute] {
    all { if case .candidate(let candidate) = $0 { candidate } else { nil } }
  }
  package var hasEndOfCandidates: Bool { has(.endOfCandidates) }
  package var hasRTCPMux: Bool { has(.rtcpMux) || has(.rtcpMuxOnly) }
  package var hasReducedSizeRTCP: Bool { has(.rtcpRsize) }
  package var msids: [MediaStreamID] { all { if case .msid(let id) = $0 { id } else { nil } } }
  package var ssrcAttributes: [SSRCAttribute] { all { if case .ssrc(let line) = $0 { line } else { nil } } }
  package var ssrcGroups: [SSRCGroup] { all { if case .ssrcGroup(let group) = $0 { group } else { nil } } }
  package var rids: [RestrictionIdentifier] {
    all { if case .restriction(let rid) = $0 { rid } else { nil } }
  }
  package var simulcast: SimulcastDescription? {
    first { if case .simulcast(let streams) = $0 { streams } else { nil } }
  }
  package var sctpPort: UInt16? { first { if case .sctpPort(let port) = $0 { port } else { nil } } }
  /// As written: 0 means unlimited, nil that there is no line (RFC 8841 section 6 then says 65 536).
  package var maxMessageSize: UInt64? {
    first { if case .maxMessageSize(let size) = $0 { size } else { nil } }
  }
  package var sctpInit: [UInt8]? { first { if case .sctpInit(let bytes) = $0 { bytes } else { nil } } }

  /// The formats that are payload types, each once, in order of preference.
  package var payloadTypes: [UInt8] {
    var seen = Set<UInt8>()
    return formats.compactMap { format in
      guard let number = RTPMap.payloadType(format[...]), seen.insert(number).inserted else { return nil }
      return number
    }
  }

  /// What the payload types stand for, in the order of the `m=` line; those without a meaning are left out.
  package var codecs: [CodecDescription] { CodecTable(self).codecs }

  /// The sources announced here, retransmission joined to its source.
  package var streams: [StreamDescription] { StreamDescription.streams(of: self) }
}
