import SDP
import Testing

struct NegotiatedSessionTests {
  private func answer(
    to offer: SessionDescription, edit: (inout SessionDescription) -> Void = { _ in }
  ) throws(SDPError) -> SessionDescription {
    var answer = try Samples.answer.description(answering: offer, media: Samples.answerSection)
    edit(&answer)
    return answer
  }

  private let offer = Samples.offer.description()

  private func session(_ edit: (inout SessionDescription) -> Void) throws(SDPError) -> NegotiatedSession {
    try NegotiatedSession(local: offer, remote: try answer(to: offer, edit: edit), role: .offerer)
  }

  // MARK: Field cases

  @Test func `a bad candidate line costs that line only`() throws {
    let session = try session { answer in
      answer.media[0].append(
        SDPAttribute("candidate", " 1 udp 2113939711 2001:db8::7f 19305 typ host generation 0"))
      answer.media[0].append(SDPAttribute("candidate", " 1 ssltcp 2113939709 2001:db8::7f 443 typ host"))
      answer.media[0].append(SDPAttribute("candidate", "1 1 udp nonsense"))
      answer.media[0].append(SDPAttribute("candidate", "2 1 udp 7 192.0.2.1 5000 typ host"))
    }
    let candidates = session.remote.candidates
    #expect(candidates.count == 3)
    #expect(candidates[0].foundation == "" && candidates[0].transport == .udp)
    #expect(candidates[0].priority == 2_113_939_711 && candidates[0].connectionAddress == "2001:db8::7f")
    #expect(candidates[0].port == 19305 && candidates[0].extensionValue("generation") == "0")
    #expect(candidates[1].transport == .other("ssltcp") && candidates[1].port == 443)
    #expect(candidates[2].connectionAddress == "192.0.2.1")
  }

  @Test func `an rtcp line with a port alone does no harm`() throws {
    let session = try session { answer in
      for index in 0..<4 {
        answer.media[index].removeAttributes(named: "rtcp")
        answer.media[index].append(SDPAttribute("rtcp", "36273"))
      }
    }
    #expect(session.sections.allSatisfy { $0.isAccepted })
  }

  @Test func `a section without a=ssrc is accepted, its sources unknown`() throws {
    let remote = try Samples.description(
      "m=video 9 UDP/TLS/RTP/SAVPF 96\na=recvonly\na=mid:0\na=rtcp-mux\na=rtpmap:96 VP8/90000\n"
        + Samples.transportLines(setup: "actpass"))
    #expect(remote.media[0].streams.isEmpty)
    let local = try Samples.answer.description(answering: remote, media: Samples.answerSection)
    let session = try NegotiatedSession(local: local, remote: remote, role: .answerer)
    #expect(session.sections[0].isAccepted)
    #expect(session.sections[0].direction == .sendonly)
    #expect(session.sections[0].remoteStreams.isEmpty)
    let silent = try self.session { answer in
      answer.media[2].removeAttributes(named: "ssrc")
      answer.media[2].removeAttributes(named: "ssrc-group")
    }
    #expect(silent.sections[2].direction == .recvonly && silent.sections[2].remoteStreams.isEmpty)
  }

  @Test func `a rejected section keeps its place, whatever else it says or leaves out`() throws {
    let session = try session { answer in
      answer.media[1] = MediaSection(
        kind: .audio, port: 0, transportProtocol: "UDP/TLS/RTP/SAVPF", formats: ["0"])
      answer.removeAttributes(named: "group")
      answer.append(SDPAttribute("group", "BUNDLE 0 2 3 4"))
    }
    #expect(session.sections.map(\.index) == [0, 1, 2, 3, 4])
    #expect(session.sections.map(\.mid) == ["0", "1", "2", "3", "4"])
    #expect(session.sections.map(\.isAccepted) == [true, false, true, true, true])
    #expect(session.sections[1].direction == .inactive && session.sections[1].codecs.isEmpty)
    let insisting = try self.session { answer in answer.media[1].port = 0 }
    #expect(!insisting.sections[1].isAccepted)
  }

  static let roles: [(DTLSSetup?, DTLSSetup?, DTLSRole?)] = [
    (.actpass, .active, .server), (.actpass, .passive, .client), (.actpass, nil, .server),
    (nil, .active, .server), (nil, .passive, .client), (nil, nil, .server),
    (.active, .passive, .client), (.passive, .active, .server), (.passive, nil, .server),
    (.actpass, .actpass, nil), (.active, .active, nil), (.active, nil, nil), (.passive, .passive, nil),
    (.active, .actpass, nil), (.passive, .actpass, nil), (.actpass, .holdconn, nil),
    (.holdconn, .active, nil),
  ]

  @Test(arguments: roles)
  func `the DTLS role follows both sides, and what cannot work is refused at once`(
    offered: DTLSSetup?, answered: DTLSSetup?, expected: DTLSRole?
  ) throws {
    var offer = self.offer
    var answer = try answer(to: offer)
    for index in offer.media.indices {
      offer.media[index].removeAttributes(named: "setup")
      answer.media[index].removeAttributes(named: "setup")
      if let offered { offer.media[index].append(SDPAttribute("setup", offered.rawValue)) }
      if let answered { answer.media[index].append(SDPAttribute("setup", answered.rawValue)) }
    }
    if let expected {
      #expect(try NegotiatedSession(local: offer, remote: answer, role: .offerer).dtlsRole == expected)
      #expect(
        try NegotiatedSession(local: answer, remote: offer, role: .answerer).dtlsRole == expected.opposite)
    } else {
      #expect(
        throws: SDPError.dtlsRoleConflict(
          offer: offered ?? .actpass, answer: answered ?? .active, line: answer.lineNumber(ofSection: 0))
      ) { try NegotiatedSession(local: offer, remote: answer, role: .offerer) }
    }
  }

  // MARK: Strict where it matters

  @Test func `another number of sections is refused`() {
    #expect(throws: SDPError.sectionCountMismatch(offer: 5, answer: 4)) {
      try session { answer in answer.media.removeLast() }
    }
  }

  @Test(arguments: ["ice-ufrag", "ice-pwd", "fingerprint"])
  func `what the transport cannot do without is named`(name: String) throws {
    let line = try answer(to: offer).lineNumber(ofSection: 0)
    #expect(throws: SDPError.missingAttribute(name: name, section: 0, line: line)) {
      try session { answer in
        for index in answer.media.indices { answer.media[index].removeAttributes(named: name) }
      }
    }
  }

  @Test(arguments: [
    ("ice-ufrag", "abc"), ("ice-pwd", "short"), ("fingerprint", "sha-256 AB"), ("fingerprint", "sha-1 AB"),
  ])
  func `malformed is told from missing, and never quoted`(name: String, value: String) throws {
    let error = #expect(throws: SDPError.self) {
      try session { answer in
        for index in answer.media.indices {
          answer.media[index].removeAttributes(named: name)
          answer.media[index].append(SDPAttribute(name, value))
        }
      }
    }
    guard case .malformedAttribute(name, 0, _, _) = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(error?.description.contains(value) == false)
  }

  @Test func `other mids, kinds and repeated mids are refused`() throws {
    #expect(throws: SDPError.self) {
      try session { answer in
        answer.media[1].removeAttributes(named: "mid")
        answer.media[1].append(SDPAttribute("mid", "7"))
      }
    }
    #expect(throws: SDPError.self) { try session { answer in answer.media[1].kind = .video } }
    #expect(throws: SDPError.self) { try session { answer in answer.media.swapAt(0, 1) } }
    let line = try answer(to: offer).lineNumber(ofSection: 1)
    #expect(throws: SDPError.duplicateMid(section: 1, line: line)) {
      try session { answer in
        answer.media[1].removeAttributes(named: "mid")
        answer.media[1].append(SDPAttribute("mid", "0"))
      }
    }
  }

  @Test func `accepted sections outside the bundle are refused`() throws {
    let line = try answer(to: offer).lineNumber(ofSection: 3)
    #expect(throws: SDPError.notBundled(section: 3, line: line)) {
      try session { answer in
        answer.removeAttributes(named: "group")
        answer.append(SDPAttribute("group", "BUNDLE 0 1 2 4"))
      }
    }
    #expect(throws: SDPError.self) { try session { $0.removeAttributes(named: "group") } }
  }

  @Test func `a single section needs no bundle`() throws {
    let session = try session { answer in
      for index in 0..<4 { answer.media[index].port = 0 }
      answer.removeAttributes(named: "group")
    }
    #expect(session.dataSection?.index == 4)
  }

  @Test func `an answer without any rtcp-mux is refused`() {
    #expect(throws: SDPError.self) {
      try session { answer in
        for index in answer.media.indices { answer.media[index].removeAttributes(named: "rtcp-mux") }
      }
    }
  }

  @Test func `errors have a text for everyone`() {
    let errors: [SDPError] = [
      .tooLarge(bytes: 1), .tooManyLines, .tooManySections(line: 1), .malformedLine(line: 1, expected: "x"),
      .missingLine(line: 1, expected: "x"), .missingAttribute(name: "x", section: nil, line: 1),
      .malformedAttribute(name: "x", section: 1, line: 1, expected: "y"), .duplicateMid(section: 1, line: 1),
      .sectionCountMismatch(offer: 1, answer: 2), .sectionMismatch(section: 1, line: 1, expected: "x"),
      .notBundled(section: 1, line: 1), .dtlsRoleConflict(offer: .active, answer: .active, line: 1),
      .nothingAccepted,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect("\(Samples.credentials)" == "ufrag abcd")
    #expect(!String(reflecting: Samples.credentials).contains(Samples.credentials.pwd))
  }

  // MARK: Tolerant where peers are sloppy

  @Test func `attributes missing from later bundled sections are the first one's`() throws {
    let session = try session { answer in
      for index in 1...4 {
        for name in ["ice-ufrag", "ice-pwd", "fingerprint", "setup", "ice-options", "rtcp-mux", "rtcp"] {
          answer.media[index].removeAttributes(named: name)
        }
      }
    }
    #expect(session.sections.allSatisfy { $0.isAccepted })
    #expect(session.remote.credentials == Samples.peerCredentials)
  }

  @Test func `credentials, fingerprint, role and direction may stand in the session part`() throws {
    let session = try session { answer in
      for name in ["ice-ufrag", "ice-pwd", "fingerprint", "setup", "ice-options"] {
        for index in answer.media.indices { answer.media[index].removeAttributes(named: name) }
      }
      answer.append(SDPAttribute("ice-ufrag", Samples.peerCredentials.ufrag))
      answer.append(SDPAttribute("ice-pwd", Samples.peerCredentials.pwd))
      answer.append(
        SDPAttribute("fingerprint", "sha-256 " + (0..<32).map { _ in "AB" }.joined(separator: ":")))
      answer.append(SDPAttribute("setup", "passive"))
      answer.append(SDPAttribute("ice-options", "trickle"))
      answer.append(SDPAttribute("ice-lite"))
      for index in 2...3 { answer.media[index].removeAttributes(named: "sendonly") }
      answer.append(SDPAttribute("sendonly"))
    }
    #expect(session.remote.credentials == Samples.peerCredentials)
    #expect(session.remote.fingerprints.first?.bytes == [UInt8](repeating: 0xAB, count: 32))
    #expect(session.dtlsRole == .client)
    #expect(session.remote.iceOptions == ["trickle"] && session.remote.isIceLite)
    #expect(session.sections[2].direction == .recvonly)
  }

  @Test func `a missing mid is the offer's`() throws {
    let session = try session { answer in answer.media[1].removeAttributes(named: "mid") }
    #expect(session.sections[1].isAccepted && session.sections[1].mid == "1")
  }

  @Test func `a missing direction means both ways, within the offer's`() throws {
    let session = try session { answer in
      answer.media[0].removeAttributes(named: "recvonly")
      answer.media[2].removeAttributes(named: "sendonly")
    }
    #expect(session.sections[0].direction == .sendonly)
    #expect(session.sections[2].direction == .recvonly)
  }

  @Test func `weak fingerprints beside a strong one are left out`() throws {
    let session = try session { answer in
      answer.media[0].append(
        SDPAttribute("fingerprint", "sha-1 " + (0..<20).map { _ in "AB" }.joined(separator: ":")))
      answer.media[0].append(
        SDPAttribute("fingerprint", "SHA-512 " + (0..<64).map { _ in "CD" }.joined(separator: ":")))
    }
    #expect(session.remote.fingerprints.map(\.algorithm) == ["sha-256", "sha-512"])
  }

  @Test func `candidates repeated in every section count once`() throws {
    let session = try session { answer in
      for index in answer.media.indices {
        answer.media[index].append(SDPAttribute("candidate", "1 1 udp 7 192.0.2.1 5000 typ host"))
      }
      answer.media[2].append(SDPAttribute("end-of-candidates"))
    }
    #expect(session.remote.candidates.count == 1)
    #expect(session.remote.hasEndOfCandidates)
  }

  @Test func `codecs that were not offered are disregarded`() throws {
    let session = try session { answer in
      answer.media[2].formats = ["120"] + answer.media[2].formats + ["121"]
      answer.media[2].append(SDPAttribute("rtpmap", "120 H265/90000"))
      answer.media[2].append(SDPAttribute("rtpmap", "121 red/90000"))
    }
    #expect(session.sections[2].codecs.map(\.name) == ["VP9", "VP8"])
    #expect(session.sections[2].red == nil)
  }

  @Test func `a section answered with nothing that was offered counts as not accepted`() throws {
    let session = try session { answer in
      answer.media[3].formats = ["0"]
    }
    #expect(session.sections.map(\.isAccepted) == [true, true, true, false, true])
  }

  @Test func `a peer that renumbers is sent its numbers and heard under ours`() throws {
    let session = try session { answer in
      answer.media[0].formats = ["120", "121"]
      answer.media[0].removeAttributes(named: "rtpmap")
      answer.media[0].removeAttributes(named: "fmtp")
      answer.media[0].append(SDPAttribute("rtpmap", "120 vp8/90000"))
      answer.media[0].append(SDPAttribute("rtpmap", "121 RTX/90000"))
      answer.media[0].append(SDPAttribute("fmtp", "121 apt=120"))
    }
    let codec = try #require(session.sections[0].codecs.first)
    let own = try #require(offer.media[0].codecs.first { $0.name == "VP8" })
    #expect(codec.sendPayloadType == 120 && codec.sendRetransmissionPayloadType == 121)
    #expect(codec.receivePayloadType == own.payloadType)
    #expect(codec.receiveRetransmissionPayloadType == own.retransmissionPayloadType)
    #expect(codec.feedback.isEmpty)
  }

  // MARK: Header extensions

  @Test func `extensions count when both sides name them under one number`() throws {
    let session = try session { answer in
      answer.media[2].removeAttributes(named: "extmap")
      answer.media[2].append(SDPAttribute("extmap", "2 \(HeaderExtensionURI.absoluteSendTime)"))
      answer.media[2].append(SDPAttribute("extmap", "9 \(HeaderExtensionURI.mid)"))
      answer.media[2].append(SDPAttribute("extmap", "4/inactive \(HeaderExtensionURI.videoOrientation)"))
      answer.media[2].append(SDPAttribute("extmap", "8 urn:never-offered"))
    }
    let section = session.sections[2]
    #expect(
      section.headerExtensions.map(\.uri) == [
        HeaderExtensionURI.absoluteSendTime, HeaderExtensionURI.videoOrientation,
      ])
    #expect(section.receiveExtensionID(HeaderExtensionURI.absoluteSendTime) == 2)
    #expect(section.sendExtensionID(HeaderExtensionURI.absoluteSendTime) == nil)
    #expect(section.receiveExtensionID(HeaderExtensionURI.videoOrientation) == nil)
  }

  @Test func `an answer takes over numbers and turns directions round`() {
    let offered = [
      HeaderExtension(id: 3, uri: "a", direction: .sendonly), HeaderExtension(id: 3, uri: "b"),
      HeaderExtension(id: 15, uri: "c"), HeaderExtension(id: 16, uri: "d"),
      HeaderExtension(id: 4096, uri: "e"),
      HeaderExtension(id: 5, uri: "a"), HeaderExtension(id: 6, uri: "f"),
    ]
    let narrow = HeaderExtensionNegotiation.answer(
      to: offered, supporting: ["a", "b", "c", "d", "e"], allowsTwoByteHeaders: false)
    #expect(narrow == [HeaderExtension(id: 3, uri: "a", direction: .recvonly)])
    let wide = HeaderExtensionNegotiation.answer(
      to: offered, supporting: ["a", "b", "c", "d", "e"], allowsTwoByteHeaders: true)
    #expect(wide.map(\.uri) == ["a", "d"])
  }

  // MARK: Data channels

  static let sizes: [(String?, Int, Bool)] = [
    (nil, 65_536, false), ("0", .max, true), ("262144", 262_144, true), ("1", 1, true),
    ("18446744073709551615", .max, true), ("nonsense", 65_536, false),
  ]

  @Test(arguments: sizes)
  func `the largest message is the peer's`(written: String?, expected: Int, isDeclared: Bool) throws {
    let session = try session { answer in
      answer.media[4].removeAttributes(named: "max-message-size")
      if let written { answer.media[4].append(SDPAttribute("max-message-size", written)) }
    }
    let data = try #require(session.dataSection?.sctp)
    #expect(data.maxSendMessageSize == expected)
    #expect(data.declaresMaxMessageSize == isDeclared)
    #expect(data.maxReceiveMessageSize == 262_144)
  }

  @Test func `the data section's form before RFC 8841 is understood`() throws {
    let remote = try Samples.description(
      "m=application 9 DTLS/SCTP 5001\na=mid:d\na=sctpmap:5001 webrtc-datachannel 1024\n"
        + Samples.transportLines(setup: "actpass"))
    #expect(remote.media[0].isDataChannel)
    let local = try Samples.answer.description(answering: remote, media: Samples.answerSection)
    let session = try NegotiatedSession(local: local, remote: remote, role: .answerer)
    #expect(session.dataSection?.sctp?.remotePort == 5001)
    #expect(session.dataSection?.sctp?.localPort == 5000)
    #expect(session.dataSection?.mid == "d")
  }

  @Test func `INIT chunks count when both sides have one`() throws {
    let both = try session { _ in }
    #expect(both.dataSection?.sctp?.initExchange?.local == [1, 2, 3])
    #expect(both.dataSection?.sctp?.initExchange?.remote == [9, 9])
    let one = try session { $0.media[4].removeAttributes(named: "sctp-init") }
    #expect(one.dataSection?.sctp?.initExchange == nil)
  }

  @Test func `chunking and frame metadata count when both sides declare them`() throws {
    let both = try session { _ in }
    #expect(both.frameMetadata)
    #expect(both.chunking?.maxSendMessageSize == 1_000_000)
    #expect(both.chunking?.maxReceiveMessageSize == 67_108_864)
    let one = try session { answer in
      answer.removeAttributes(named: "x-reactor-frame-metadata")
      answer.removeAttributes(named: "x-reactor-dc-chunking")
    }
    #expect(!one.frameMetadata && one.chunking == nil)
    let other = try session { answer in
      answer.removeAttributes(named: "x-reactor-dc-chunking")
      answer.append(SDPAttribute("x-reactor-dc-chunking", "2 max-message-size=5"))
      answer.removeAttributes(named: "x-reactor-frame-metadata")
      answer.append(SDPAttribute("x-reactor-frame-metadata", "01"))
    }
    #expect(!other.frameMetadata && other.chunking == nil)
    let silent = try session { answer in
      answer.removeAttributes(named: "x-reactor-dc-chunking")
      answer.append(SDPAttribute("x-reactor-dc-chunking", "1"))
    }
    #expect(silent.chunking?.maxSendMessageSize == 262_144)
  }

  // MARK: Renegotiation

  @Test func `a section added later leaves the others as they were`() throws {
    let before = try session { _ in }
    var later = Samples.offer
    later.sections.append(
      .media(
        MediaSectionOffer(
          mid: "5", kind: .video, direction: .recvonly, codecs: [.vp8],
          headerExtensions: HeaderExtensionURI.video)))
    let next = later.description(following: offer)
    let after = try NegotiatedSession(local: next, remote: try answer(to: next), role: .offerer)
    #expect(Array(after.sections.prefix(5)) == before.sections)
    #expect(after.sections[5].isAccepted)
    #expect(after.remote.credentials == before.remote.credentials)
  }

  @Test func `hostile sections are negotiated in bounded time`() throws {
    let codecs = (0..<128).map { "a=rtpmap:\($0) H264/90000\n" }.joined()
    let formats = (0..<128).map { String($0) }.joined(separator: " ")
    let section = "m=video 9 UDP/TLS/RTP/SAVPF \(formats)\na=rtcp-mux\n\(codecs)"
    let text = (0..<25).map { section + "a=mid:\($0)\n" }.joined()
    let bundle = (0..<25).map { String($0) }.joined(separator: " ")
    let remote = try Samples.description(
      "a=group:BUNDLE \(bundle)\n" + Samples.transportLines(setup: "actpass") + text)
    let local = try Samples.answer.description(answering: remote) { _, _ in
      MediaSectionAnswer(
        direction: .sendrecv,
        codecs: [CodecCapability(name: "h264", clockRate: 90000)], headerExtensions: [])
    }
    let session = try NegotiatedSession(local: local, remote: remote, role: .answerer)
    #expect(session.sections.allSatisfy { $0.codecs.count == 128 })
  }
}
