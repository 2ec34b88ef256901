/// Writes the sections of offers and answers.
struct SectionBuilder {
  let transport: LocalTransport
  let setup: DTLSSetup

  func media(_ content: MediaSectionContent) -> MediaSection {
    var formats: [String] = []
    for codec in content.codecs {
      formats.append(String(codec.payloadType))
      if let repair = codec.retransmissionPayloadType { formats.append(String(repair)) }
    }
    var section = MediaSection(
      kind: content.kind, port: 9, transportProtocol: content.transportProtocol, formats: formats)
    section.lines = [.connection("IN IP4 0.0.0.0")]
    section.append(SDPAttribute("rtcp", "9 IN IP4 0.0.0.0"))
    appendTransport(to: &section, mid: content.mid)
    for one in content.headerExtensions { section.append(SDPAttribute("extmap", one.value)) }
    section.append(SDPAttribute(content.direction.rawValue))
    // An inactive section keeps its source, as libwebrtc's do: a browser that loses it does not show the track
    // again when it comes back.
    let stream = content.direction == .recvonly ? nil : content.stream
    if let msid = stream?.msid { section.append(SDPAttribute("msid", msid.value)) }
    section.append(SDPAttribute("rtcp-mux"))
    if content.hasReducedSizeRTCP { section.append(SDPAttribute("rtcp-rsize")) }
    for codec in content.codecs { append(codec, to: &section) }
    if let stream { append(stream, codecs: content.codecs, to: &section) }
    appendCandidates(to: &section)
    return section
  }

  func data(_ content: DataSectionOffer, transportProtocol: String) -> MediaSection {
    var section = MediaSection(
      kind: .application, port: 9, transportProtocol: transportProtocol, formats: ["webrtc-datachannel"])
    section.lines = [.connection("IN IP4 0.0.0.0")]
    appendTransport(to: &section, mid: content.mid.isEmpty ? nil : content.mid)
    section.append(SDPAttribute("sctp-port", String(content.sctpPort)))
    section.append(SDPAttribute("max-message-size", String(content.maxMessageSize)))
    if let chunk = content.sctpInit, !chunk.isEmpty {
      section.append(SDPAttribute("sctp-init", Base64.encode(chunk)))
    }
    appendCandidates(to: &section)
    return section
  }

  /// Port 0, and nothing but what keeps the place: kind, protocol, formats and mid.
  static func rejected(_ section: MediaSection) -> MediaSection {
    var copy = MediaSection(
      kind: section.kind, port: 0, transportProtocol: section.transportProtocol,
      formats: section.formats.isEmpty ? ["0"] : section.formats)
    copy.lines = [.connection("IN IP4 0.0.0.0")]
    if let mid = section.mid { copy.append(SDPAttribute("mid", mid)) }
    copy.append(SDPAttribute("inactive"))
    return copy
  }

  private func appendTransport(to section: inout MediaSection, mid: String?) {
    section.append(SDPAttribute("ice-ufrag", transport.credentials.ufrag))
    section.append(SDPAttribute("ice-pwd", transport.credentials.pwd))
    if !transport.iceOptions.isEmpty {
      section.append(SDPAttribute("ice-options", transport.iceOptions.joined(separator: " ")))
    }
    for fingerprint in transport.fingerprints {
      section.append(SDPAttribute("fingerprint", fingerprint.value, meaning: .fingerprint(fingerprint)))
    }
    section.append(SDPAttribute("setup", setup.rawValue))
    if let mid { section.append(SDPAttribute("mid", mid)) }
  }

  private func appendCandidates(to section: inout MediaSection) {
    for candidate in transport.candidates {
      section.append(SDPAttribute("candidate", candidate.value, meaning: .candidate(candidate)))
    }
    if transport.hasEndOfCandidates { section.append(SDPAttribute("end-of-candidates")) }
  }

  private func append(_ codec: CodecDescription, to section: inout MediaSection) {
    let map = RTPMap(
      payloadType: codec.payloadType, name: codec.name, clockRate: codec.clockRate, channels: codec.channels)
    section.append(SDPAttribute("rtpmap", map.value))
    for feedback in codec.feedback {
      let line = RTCPFeedbackAttribute(payloadType: codec.payloadType, feedback: feedback)
      section.append(SDPAttribute("rtcp-fb", line.value))
    }
    if !codec.parameters.isEmpty {
      section.append(SDPAttribute("fmtp", "\(codec.payloadType) \(codec.parameters)"))
    }
    if let repair = codec.retransmissionPayloadType {
      section.append(SDPAttribute("rtpmap", "\(repair) rtx/\(codec.clockRate)"))
      section.append(SDPAttribute("fmtp", "\(repair) apt=\(codec.payloadType)"))
    }
  }

  private func append(_ stream: LocalStream, codecs: [CodecDescription], to section: inout MediaSection) {
    var sources = [stream.ssrc]
    if let repair = stream.retransmissionSSRC, codecs.contains(where: { $0.retransmissionPayloadType != nil })
    {
      sources.append(repair)
      section.append(SDPAttribute("ssrc-group", SSRCGroup(semantics: "FID", ssrcs: sources).value))
    }
    for ssrc in sources {
      let line = SSRCAttribute(ssrc: ssrc, name: "cname", value: stream.cname)
      section.append(SDPAttribute("ssrc", line.text))
    }
  }
}
