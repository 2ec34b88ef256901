import SDP
import Testing
import TestSupport

struct SessionAnswerTests {
  private func answer(
    _ offer: SessionDescription, with answer: SessionAnswer = Samples.answer
  ) throws(SDPError) -> SessionDescription {
    try answer.description(answering: offer, media: Samples.answerSection)
  }

  @Test func `mirrors sections, mids, order, numbers and bundle`() throws {
    let offer = Samples.offer.description()
    let answer = try answer(offer)
    #expect(try SessionDescription(parsing: answer.serialized()) == answer)
    #expect(answer.media.map(\.mid) == offer.media.map(\.mid))
    #expect(answer.media.map(\.kind) == offer.media.map(\.kind))
    #expect(answer.bundle == offer.bundle)
    #expect(answer.media.map(\.direction) == [.recvonly, .recvonly, .sendonly, .sendonly, nil])
    #expect(answer.media.allSatisfy { $0.setup == .active && $0.iceUfrag == "wxyz" })
    #expect(answer.media[0].headerExtensions == offer.media[0].headerExtensions)
    #expect(answer.media[0].payloadTypes == offer.media[0].payloadTypes)
    #expect(answer.media.allSatisfy { $0.isDataChannel || ($0.hasRTCPMux && $0.hasReducedSizeRTCP) })
    #expect(answer.declaresFrameMetadata)
    #expect(answer.dataChannelChunking?.maxMessageSize == 1_000_000)
    #expect(answer.isExtmapAllowMixed)
    #expect(answer.media[4].maxMessageSize == 100_000)
    #expect(answer.media[4].sctpInit == [9, 9])
    #expect(answer.media[0].streams.isEmpty)
    #expect(
      answer.media[2].streams == [StreamDescription(ssrc: 5020, retransmissionSSRC: 5021, cname: "you")])
  }

  @Test func `the order of codecs is the offer's, or this side's when asked`() throws {
    let offer = Samples.offer.description()
    #expect(try answer(offer).media[2].codecs.map(\.name) == ["VP9", "rtx", "VP8", "rtx"])
    let own = try Samples.answer.description(answering: offer) { index, section in
      var answer = Samples.answerSection(index, section)
      answer?.prefersOwnOrder = true
      return answer
    }
    #expect(own.media[2].codecs.map(\.name) == ["VP8", "rtx", "VP9", "rtx"])
    #expect(Set(own.media[2].payloadTypes) == Set(offer.media[2].payloadTypes))
  }

  @Test func `what the offer does not have is not answered`() throws {
    var plain = Samples.offer
    plain.features = SessionFeatures(extmapAllowMixed: false)
    plain.sections = [
      .media(Samples.picture), .data(DataSectionOffer(mid: "4")),
    ]
    let answer = try answer(plain.description())
    #expect(!answer.declaresFrameMetadata && answer.dataChannelChunking == nil && !answer.isExtmapAllowMixed)
    #expect(answer.media[1].sctpInit == nil)
  }

  @Test(arguments: ["2", "0", "1 1", "x"])
  func `another version of a platform extension is not mirrored`(version: String) throws {
    var offer = Samples.offer.description()
    offer.removeAttributes(named: "x-reactor-frame-metadata")
    offer.removeAttributes(named: "x-reactor-dc-chunking")
    offer.append(SDPAttribute("x-reactor-frame-metadata", version))
    if version != "1 1" { offer.append(SDPAttribute("x-reactor-dc-chunking", version)) }
    let answer = try answer(offer)
    #expect(!answer.declaresFrameMetadata && answer.dataChannelChunking == nil)
  }

  @Test func `a section without a common codec has port 0 and leaves the bundle`() throws {
    let answer = try Samples.answer.description(answering: Samples.offer.description()) { index, section in
      var answer = Samples.answerSection(index, section)
      if index == 1 { answer?.codecs = [CodecCapability(name: "PCMU", clockRate: 8000)] }
      return answer
    }
    #expect(answer.media.map(\.port) == [9, 0, 9, 9, 9])
    #expect(answer.media[1].mid == "1")
    #expect(answer.bundle == ["0", "2", "3", "4"])
    #expect(answer.media[1].iceUfrag == nil)
  }

  @Test func `sections that nobody wants have port 0`() throws {
    var silent = Samples.answer
    silent.data = nil
    let answer = try silent.description(answering: Samples.offer.description()) { index, section in
      index == 2 ? Samples.answerSection(index, section) : nil
    }
    #expect(answer.media.map(\.port) == [0, 0, 9, 0, 0])
    #expect(answer.bundle == ["2"])
  }

  @Test func `everything rejected is an answer too`() throws {
    var silent = Samples.answer
    silent.data = nil
    let offer = Samples.offer.description()
    let answer = try silent.description(answering: offer) { _, _ in nil }
    #expect(answer.media.map(\.port) == [0, 0, 0, 0, 0])
    #expect(answer.bundle == nil)
    #expect(throws: SDPError.nothingAccepted) {
      try NegotiatedSession(local: answer, remote: offer, role: .answerer)
    }
  }

  @Test func `sections rejected in the offer, or of unknown kind, stay rejected`() throws {
    var offer = Samples.offer.description()
    offer.media[0].port = 0
    offer.media[3] = MediaSection(
      kind: .other("text"), port: 9, transportProtocol: "RTP/AVP", formats: ["t140"])
    offer.media[3].append(SDPAttribute("mid", "3"))
    let answer = try answer(offer)
    #expect(answer.media.map(\.port) == [0, 9, 9, 0, 9])
    #expect(answer.media[3].mediaLine == "m=text 0 RTP/AVP t140")
  }

  @Test func `a bundle-only section is accepted`() throws {
    var offer = Samples.offer.description()
    offer.media[1].port = 0
    offer.media[1].append(SDPAttribute("bundle-only"))
    let answer = try answer(offer)
    #expect(answer.media.map(\.port) == [9, 9, 9, 9, 9])
    let session = try NegotiatedSession(local: answer, remote: offer, role: .answerer)
    #expect(session.sections[1].isAccepted)
  }

  @Test func `without a bundle only the first usable section is taken`() throws {
    var offer = Samples.offer.description()
    offer.removeAttributes(named: "group")
    let answer = try answer(offer)
    #expect(answer.media.map(\.port) == [9, 0, 0, 0, 0])
    #expect(answer.bundle == nil)
  }

  @Test func `sections outside the bundle are rejected`() throws {
    var offer = Samples.offer.description()
    offer.removeAttributes(named: "group")
    offer.append(SDPAttribute("group", "BUNDLE 4 2"))
    let answer = try answer(offer)
    #expect(answer.media.map(\.port) == [0, 0, 9, 0, 9])
    #expect(answer.bundle == ["4", "2"])
  }

  @Test(arguments: [
    (DTLSSetup.actpass, DTLSSetup.active, DTLSSetup.active), (.actpass, .passive, .passive),
    (.active, .active, .passive), (.passive, .passive, .active), (.actpass, .actpass, .active),
  ])
  func `the role answers the offer's`(offered: DTLSSetup, preferred: DTLSSetup, expected: DTLSSetup) throws {
    var offer = Samples.offer
    offer.transport.setup = offered
    var peer = Samples.answer
    peer.transport.setup = preferred
    let answer = try answer(offer.description(), with: peer)
    #expect(answer.media.allSatisfy { $0.setup == expected })
    let session = try NegotiatedSession(local: answer, remote: offer.description(), role: .answerer)
    #expect(session.dtlsRole == (expected == .active ? .client : .server))
  }

  @Test func `an offer on hold is refused`() {
    var offer = Samples.offer
    offer.transport.setup = .holdconn
    #expect(throws: SDPError.self) { try answer(offer.description()) }
  }

  @Test(arguments: ["ice-ufrag", "ice-pwd", "fingerprint"])
  func `an offer without credentials or fingerprint is refused by name`(name: String) throws {
    var offer = Samples.offer.description()
    for index in offer.media.indices { offer.media[index].removeAttributes(named: name) }
    let line = offer.lineNumber(ofSection: 0)
    #expect(throws: SDPError.missingAttribute(name: name, section: 0, line: line)) { try answer(offer) }
  }

  @Test func `an RTP section is rejected when nothing is multiplexed`() throws {
    var offer = Samples.offer.description()
    for index in offer.media.indices { offer.media[index].removeAttributes(named: "rtcp-mux") }
    #expect(try answer(offer).media.map(\.port) == [0, 0, 0, 0, 9])
    offer.media[0].append(SDPAttribute("rtcp-mux"))
    #expect(try answer(offer).media.map(\.port) == [9, 9, 9, 9, 9])
  }

  @Test func `a later answer keeps its session and counts its version`() throws {
    let offer = Samples.offer.description()
    let first = try answer(offer)
    let second = try Samples.answer.description(
      answering: offer, following: first, media: Samples.answerSection)
    #expect(second.origin.sessionID == "88")
    #expect(first.origin.sessionVersion == "1" && second.origin.sessionVersion == "2")
  }

  @Test func `the answerer may offer next, under the peer's numbers`() throws {
    let theirs = try SessionDescription(
      parsing: try Fixture.text("SDP/runtime-3.10/VP8/00.offer.sdp"))
    let current = try answer(theirs)
    var sections = current.media.enumerated().map { index, section -> SectionOffer in
      if section.isDataChannel { return .data(DataSectionOffer(mid: section.mid ?? "")) }
      return .media(
        MediaSectionOffer(
          mid: section.mid ?? "", kind: section.kind, direction: section.direction ?? .inactive,
          codecs: section.kind == .audio ? [.opus] : [.vp9, .vp8],
          headerExtensions: section.kind == .audio ? HeaderExtensionURI.audio : HeaderExtensionURI.video))
    }
    sections.append(
      .media(
        MediaSectionOffer(
          mid: "new", kind: .video, direction: .sendonly, codecs: [.vp8],
          headerExtensions: HeaderExtensionURI.video, stream: LocalStream(ssrc: 9, cname: "me"))))
    let offer = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: sections
    ).description(following: current)
    let vp8 = offer.media.last?.codecs.first
    #expect(vp8?.payloadType == 96 && vp8?.retransmissionPayloadType == 97)
    #expect(offer.media[1].codecs.first?.payloadType == 111)
    #expect(offer.media.last?.headerExtensions.first { $0.uri == HeaderExtensionURI.mid }?.id == 9)
    #expect(offer.bundle?.last == "new")
  }

  @Test(arguments: RecordedDescriptionTests.exchanges)
  func `every recorded offer is answered, and both sides see the same`(path: String) throws {
    let offer = try SessionDescription(parsing: try Fixture.text(path))
    let answer = try answer(offer)
    let here = try NegotiatedSession(local: answer, remote: offer, role: .answerer)
    let there = try NegotiatedSession(local: offer, remote: answer, role: .offerer)
    #expect(here.sections.count == offer.media.count)
    for (own, theirs) in zip(here.sections, there.sections) {
      #expect(own.mid == theirs.mid)
      #expect(own.isAccepted == theirs.isAccepted)
      #expect(own.direction == theirs.direction.reversed)
      #expect(own.codecs.map(\.sendPayloadType) == theirs.codecs.map(\.receivePayloadType))
      #expect(own.red == nil)
    }
    #expect(here.dtlsRole == .client && there.dtlsRole == .server)
    #expect(here.frameMetadata == there.frameMetadata)
    #expect(here.chunking?.maxSendMessageSize == there.chunking?.maxReceiveMessageSize)
  }
}
