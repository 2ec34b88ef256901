/// What an attribute means, for those that WebRTC and the platform give a meaning.
package enum AttributeContent: Hashable, Sendable {
  case bundleOnly
  // Indirect because it is several times larger than the others, and lines are copied about.
  indirect case candidate(CandidateAttribute)
  case direction(MediaDirection)
  case endOfCandidates
  case extmap(HeaderExtension)
  case extmapAllowMixed
  case feedback(RTCPFeedbackAttribute)
  case fingerprint(Fingerprint)
  case formatParameters(FormatParametersAttribute)
  case group(MediaGroup)
  case iceLite
  case iceOptions([String])
  case icePwd(String)
  case iceUfrag(String)
  case maxMessageSize(UInt64)
  case mid(String)
  case msid(MediaStreamID)
  case reactorChunking(DataChannelChunking)
  case reactorFrameMetadata(version: String)
  case restriction(RestrictionIdentifier)
  case rtcp(port: UInt16)
  case rtcpMux
  case rtcpMuxOnly
  case rtcpRsize
  case rtpmap(RTPMap)
  case sctpInit([UInt8])
  case sctpPort(UInt16)
  case setup(DTLSSetup)
  case simulcast(SimulcastDescription)
  case ssrc(SSRCAttribute)
  case ssrcGroup(SSRCGroup)
  /// Unknown, or known but malformed: kept as text only.
  case uninterpreted

  init(name: String, value: Substring?) {
    let text = value?.trimmingBlanks
    self = AttributeContent.flag(name) ?? text.flatMap { AttributeContent.valued(name, $0) } ?? .uninterpreted
  }

  // Attributes without a value; a value that a sloppy peer adds is disregarded.
  private static func flag(_ name: String) -> AttributeContent? {
    switch name {
    case "bundle-only": .bundleOnly
    case "end-of-candidates": .endOfCandidates
    case "extmap-allow-mixed": .extmapAllowMixed
    case "ice-lite": .iceLite
    case "rtcp-mux": .rtcpMux
    case "rtcp-mux-only": .rtcpMuxOnly
    case "rtcp-rsize": .rtcpRsize
    default: MediaDirection(rawValue: name).map { .direction($0) }
    }
  }

  private static func valued(_ name: String, _ value: Substring) -> AttributeContent? {
    switch name {
    case "candidate": CandidateAttribute(fields: value).map { .candidate($0) }
    case "extmap": HeaderExtension(parsing: value).map { .extmap($0) }
    case "fingerprint": Fingerprint(parsing: value).map { .fingerprint($0) }
    case "fmtp": FormatParametersAttribute(parsing: value).map { .formatParameters($0) }
    case "group": MediaGroup(parsing: value).map { .group($0) }
    case "ice-options": .iceOptions(value.tokens.map { String($0) })
    case "ice-pwd": IceCredentials.isPassword(value) ? .icePwd(String(value)) : nil
    case "ice-ufrag": IceCredentials.isUfrag(value) ? .iceUfrag(String(value)) : nil
    case "max-message-size": UInt64(decimal: value).map { .maxMessageSize($0) }
    case "mid": AttributeContent.token(value).map { .mid($0) }
    case "msid": MediaStreamID(parsing: value).map { .msid($0) }
    case "rid": RestrictionIdentifier(parsing: value).map { .restriction($0) }
    case "rtcp": value.tokens.first.flatMap { UInt16(decimal: $0) }.map { .rtcp(port: $0) }
    case "rtcp-fb": RTCPFeedbackAttribute(parsing: value).map { .feedback($0) }
    case "rtpmap": RTPMap(parsing: value).map { .rtpmap($0) }
    case "sctp-init": Base64.decode(value).flatMap { $0.isEmpty ? nil : .sctpInit($0) }
    case "sctp-port": UInt16(decimal: value).map { .sctpPort($0) }
    // The form before RFC 8841: "a=sctpmap:5000 webrtc-datachannel 1024".
    case "sctpmap": value.tokens.first.flatMap { UInt16(decimal: $0) }.map { .sctpPort($0) }
    case "setup": DTLSSetup(rawValue: value.asciiLowercased).map { .setup($0) }
    case "simulcast": SimulcastDescription(parsing: value).map { .simulcast($0) }
    case "ssrc": SSRCAttribute(parsing: value).map { .ssrc($0) }
    case "ssrc-group": SSRCGroup(parsing: value).map { .ssrcGroup($0) }
    case "x-reactor-dc-chunking": DataChannelChunking(parsing: value).map { .reactorChunking($0) }
    case "x-reactor-frame-metadata": AttributeContent.token(value).map { .reactorFrameMetadata(version: $0) }
    default: nil
    }
  }

  private static func token(_ value: Substring) -> String? {
    let tokens = value.tokens
    return tokens.count == 1 ? String(tokens[0]) : nil
  }
}
