import SDP
import Testing
import TestSupport

/// What real peers wrote.
struct RecordedDescriptionTests {
  static let paths = Fixture.files(in: "SDP", suffix: ".sdp")
  static let exchanges = paths.filter { path in
    path.hasSuffix(".offer.sdp") && paths.contains(path.replacing(".offer.", with: ".answer."))
  }

  @Test func `all recordings are there`() {
    #expect(RecordedDescriptionTests.paths.count == 90)
    #expect(RecordedDescriptionTests.exchanges.count == 45)
  }

  @Test(arguments: paths)
  func `is written back byte for byte`(path: String) throws {
    let text = try Fixture.text(path)
    let description = try SessionDescription(parsing: text)
    #expect(description.serialized() == text)
    #expect(try SessionDescription(parsing: description.serialized()) == description)
  }

  // Those with a meaning that this package leaves alone.
  static let uninterpreted: Set<String> = ["msid-semantic"]

  @Test(arguments: paths)
  func `has no attribute that is not understood`(path: String) throws {
    let description = try SessionDescription(parsing: try Fixture.text(path))
    let all = description.attributes + description.media.flatMap(\.attributes)
    let strangers = all.filter { $0.content == .uninterpreted }.map(\.name)
    #expect(Set(strangers).isSubset(of: RecordedDescriptionTests.uninterpreted))
  }

  @Test(arguments: paths)
  func `is understood in full by what is derived from it`(path: String) throws {
    let description = try SessionDescription(parsing: try Fixture.text(path))
    for (index, section) in description.media.enumerated() {
      #expect(section.mid == String(index))
      #expect(description.iceCredentials(ofSection: index) != nil)
      #expect(description.fingerprints(ofSection: index).contains { $0.isStrong })
      #expect(section.isSecureRTP != section.isDataChannel)
      guard section.isSecureRTP else { continue }
      #expect(section.codecs.map(\.payloadType) == section.payloadTypes)
      #expect(section.codecs.filter(\.isRetransmission).allSatisfy { $0.associatedPayloadType != nil })
    }
  }

  @Test(arguments: exchanges)
  func `offer and answer agree, seen from either side`(path: String) throws {
    let offer = try SessionDescription(parsing: try Fixture.text(path))
    let answer = try SessionDescription(
      parsing: try Fixture.text(path.replacing(".offer.", with: ".answer.")))
    let client = try NegotiatedSession(local: offer, remote: answer, role: .offerer)
    let runtime = try NegotiatedSession(local: answer, remote: offer, role: .answerer)
    #expect(client.dtlsRole == .server)
    #expect(runtime.dtlsRole == .client)
    #expect(client.chunking == runtime.chunking)
    #expect(client.frameMetadata == runtime.frameMetadata)
    for (own, theirs) in zip(client.sections, runtime.sections) {
      #expect(own.isAccepted == theirs.isAccepted)
      #expect(own.direction == theirs.direction.reversed)
      #expect(own.codecs.map(\.sendPayloadType) == theirs.codecs.map(\.receivePayloadType))
      #expect(
        own.codecs.map(\.sendRetransmissionPayloadType)
          == theirs.codecs.map(\.receiveRetransmissionPayloadType))
      #expect(own.codecs.map(\.feedback.count) == theirs.codecs.map(\.feedback.count))
      #expect(Set(own.headerExtensions.map(\.id)) == Set(theirs.headerExtensions.map(\.id)))
    }
  }

  @Test func `the current client and runtime agree on everything they offer`() throws {
    let folder = "SDP/reactor/sdk-1.13_runtime-3.10/session"
    let offer = try SessionDescription(parsing: try Fixture.text("\(folder)/00.offer.sdp"))
    let answer = try SessionDescription(parsing: try Fixture.text("\(folder)/00.answer.sdp"))
    let session = try NegotiatedSession(local: offer, remote: answer, role: .offerer)

    #expect(offer.bundle == ["0", "1", "2", "3", "4"])
    #expect(offer.isExtmapAllowMixed && session.extmapAllowMixed)
    #expect(session.frameMetadata)
    #expect(session.chunking?.maxSendMessageSize == 67_108_864)
    #expect(session.remote.credentials == IceCredentials(ufrag: "9eOc", pwd: "kUBnfeAy9ODJev4iXIEHASf4"))
    #expect(session.remote.iceOptions == ["trickle", "goog-sped-v1"])
    #expect(session.remote.fingerprints.map(\.algorithm) == ["sha-256"])
    #expect(session.remote.fingerprints.first?.bytes.prefix(3) == [0xFB, 0x1A, 0x33])
    #expect(session.remote.candidates.map(\.transport) == [.udp, .tcp])
    #expect(session.remote.candidates.map(\.port) == [41331, 36163])
    #expect(session.remote.candidates.last?.tcpType == .passive)
    #expect(session.remote.candidates.first?.extensionValue("network-cost") == "50")
    #expect(session.remote.hasEndOfCandidates)

    #expect(session.sections.map(\.kind) == [.video, .audio, .video, .audio, .application])
    #expect(session.sections.map(\.direction) == [.sendonly, .sendonly, .recvonly, .recvonly, .inactive])
    let camera = session.sections[0]
    #expect(camera.codecs.map(\.name) == ["VP9", "VP9", "VP8", "AV1"])
    #expect(camera.codecs.map(\.sendPayloadType) == [98, 100, 96, 39])
    #expect(camera.codecs.map(\.sendRetransmissionPayloadType) == [99, 101, 97, 40])
    #expect(camera.red?.sendPayloadType == 103)
    #expect(camera.red?.sendRetransmissionPayloadType == 104)
    #expect(camera.codecs.first?.has(.pictureLoss) == true)
    #expect(camera.remoteStreams.isEmpty)
    #expect(camera.sendExtensionID(HeaderExtensionURI.transportWideCC) == 4)
    #expect(camera.receiveExtensionID(HeaderExtensionURI.transportWideCC) == nil)
    #expect(camera.hasReducedSizeRTCP)
    let picture = session.sections[2]
    #expect(picture.remoteStreams.map(\.ssrc) == [3_801_729_463])
    #expect(picture.remoteStreams.first?.retransmissionSSRC == 3_838_624_234)
    #expect(picture.remoteStreams.first?.cname == "hbbL/kXTpa90ynOv")
    #expect(picture.remoteMSIDs.first?.stream == "reactor-stream")
    #expect(picture.receiveExtensionID(HeaderExtensionURI.mid) == 9)
    let data = try #require(session.dataSection?.sctp)
    #expect(data.localPort == 5000 && data.remotePort == 5000)
    #expect(data.maxSendMessageSize == 262_144)
    #expect(data.initExchange?.remote.count == 30)
  }

  @Test func `runtime 2_10 agrees although it changes names and drops parameters`() throws {
    let folder = "SDP/reactor/sdk-0.8_runtime-2.10"
    let offer = try SessionDescription(parsing: try Fixture.text("\(folder)/00.offer.sdp"))
    let answer = try SessionDescription(parsing: try Fixture.text("\(folder)/00.answer.sdp"))
    let session = try NegotiatedSession(local: offer, remote: answer, role: .offerer)

    // Its H264 comes back without the profile; the payload type says which one is meant.
    #expect(session.sections[0].codecs.map(\.sendPayloadType) == [101])
    #expect(session.sections[0].codecs.first?.localParameters["profile-level-id"] == "42e01f")
    #expect(session.sections[1].codecs.first?.isNamed("opus") == true)
    #expect(session.sections[2].codecs.map(\.receivePayloadType) == [97])
    #expect(session.sections[2].codecs.map(\.receiveRetransmissionPayloadType) == [98])
    #expect(session.sections[2].codecs.first?.feedback == [.nack, .pictureLoss])
    #expect(!session.frameMetadata && session.chunking == nil)
    #expect(session.remote.candidates.map(\.transport) == [.udp])
    #expect(!session.remote.hasEndOfCandidates)
    let data = try #require(session.dataSection?.sctp)
    #expect(data.maxSendMessageSize == 65_536)
    #expect(!data.declaresMaxMessageSize)
    #expect(data.initExchange == nil)
  }
}
