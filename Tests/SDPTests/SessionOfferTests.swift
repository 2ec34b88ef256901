import SDP
import Testing

struct SessionOfferTests {
  private let offer = Samples.offer.description()

  @Test func `is what it parses to, with CRLF after the last line`() throws {
    let text = offer.serialized()
    #expect(text.hasSuffix("\r\n"))
    #expect(try SessionDescription(parsing: text) == offer)
    #expect(offer.attributes.allSatisfy { $0.content != .uninterpreted || $0.name == "msid-semantic" })
    #expect(offer.media.flatMap(\.attributes).allSatisfy { $0.content != .uninterpreted })
  }

  @Test func `sections stand in the order given, data last`() {
    #expect(offer.media.map(\.kind) == [.video, .audio, .video, .audio, .application])
    #expect(offer.media.map(\.mid) == ["0", "1", "2", "3", "4"])
    #expect(offer.media.map(\.direction) == [.sendonly, .sendonly, .recvonly, .recvonly, nil])
  }

  @Test func `one BUNDLE group holds every mid, data included`() {
    #expect(offer.groups == [MediaGroup(semantics: "BUNDLE", mids: ["0", "1", "2", "3", "4"])])
  }

  @Test func `every section repeats credentials, fingerprint, role and options`() {
    for section in offer.media {
      #expect(section.iceUfrag == "abcd")
      #expect(section.icePwd == "abcdefghijklmnopqrstuvwx")
      #expect(section.fingerprints == [Samples.fingerprint])
      #expect(section.setup == .actpass)
      #expect(section.iceOptions == ["trickle"])
    }
    #expect(offer.iceUfrag == nil && offer.fingerprints.isEmpty && offer.setup == nil)
  }

  @Test func `every media section has rtcp-mux and reduced-size RTCP`() {
    for section in offer.media where section.isSecureRTP {
      #expect(section.hasRTCPMux && section.hasReducedSizeRTCP)
    }
    #expect(offer.media.map(\.isSecureRTP) == [true, true, true, true, false])
  }

  @Test func `VP9 says its profile, retransmission has its apt, and there is no RED or FEC`() {
    let codecs = offer.media[0].codecs
    #expect(codecs.map(\.name) == ["VP9", "rtx", "VP8", "rtx"])
    #expect(codecs[0].parameters["profile-id"] == "0")
    #expect(codecs[1].associatedPayloadType == codecs[0].payloadType)
    #expect(codecs[3].associatedPayloadType == codecs[2].payloadType)
    #expect(codecs[0].feedback == RTCPFeedback.video)
    let text = offer.serialized()
    #expect(!text.contains("red/") && !text.contains("ulpfec"))
  }

  @Test func `Opus asks for packets of 20 ms`() {
    let opus = offer.media[1].codecs.first
    #expect(opus?.channels == 2)
    #expect(opus?.parameters.description == "minptime=20;useinbandfec=1")
  }

  @Test func `a payload type means one thing in all sections`() {
    #expect(offer.media[0].codecs == offer.media[2].codecs)
    #expect(offer.media[1].codecs == offer.media[3].codecs)
    let numbers = offer.media[0].payloadTypes + offer.media[1].payloadTypes
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.allSatisfy { (96...127).contains($0) })
  }

  @Test func `a header extension has one number in all sections`() {
    var numbers: [String: UInt16] = [:]
    for one in offer.media.flatMap(\.headerExtensions) {
      #expect(numbers[one.uri, default: one.id] == one.id)
      numbers[one.uri] = one.id
    }
    #expect(Set(numbers.values).count == numbers.count)
    #expect(numbers.values.allSatisfy { (1...14).contains($0) })
    #expect(numbers.keys.contains(HeaderExtensionURI.mid))
  }

  @Test func `only sending sections announce sources`() {
    #expect(
      offer.media[0].streams == [StreamDescription(ssrc: 1000, retransmissionSSRC: 1001, cname: "me")])
    #expect(offer.media[0].msids == [MediaStreamID(stream: "s", track: "camera")])
    #expect(offer.media[1].streams == [StreamDescription(ssrc: 2000, cname: "me")])
    #expect(offer.media[2].streams.isEmpty && offer.media[3].streams.isEmpty)
    var silent = Samples.camera
    silent.direction = .recvonly
    let quiet = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(silent)])
    #expect(quiet.description().media[0].streams.isEmpty)
  }

  @Test func `a repair source is left out when no codec has retransmissions`() {
    var camera = Samples.camera
    camera.codecs = [CodecCapability(name: "VP8", clockRate: 90000)]
    let offer = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(camera)])
    #expect(offer.description().media[0].streams == [StreamDescription(ssrc: 1000, cname: "me")])
  }

  @Test func `the data section has its port, size and INIT chunk`() throws {
    let section = try #require(offer.media.last)
    #expect(section.mediaLine == "m=application 9 UDP/DTLS/SCTP webrtc-datachannel")
    #expect(section.sctpPort == 5000)
    #expect(section.maxMessageSize == 262_144)
    #expect(section.sctpInit == [1, 2, 3])
    #expect(section.isDataChannel)
  }

  @Test func `the platform's extensions stand in the session part`() {
    #expect(offer.declaresFrameMetadata)
    #expect(offer.dataChannelChunking == DataChannelChunking(maxMessageSize: 67_108_864))
    #expect(offer.serialized().contains("a=x-reactor-dc-chunking:1 max-message-size=67108864\r\n"))
    let plain = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(Samples.picture)])
    #expect(!plain.description().declaresFrameMetadata)
    #expect(plain.description().dataChannelChunking == nil)
  }

  @Test func `candidates stand in every section when they are given`() {
    #expect(offer.media.allSatisfy { $0.candidates.isEmpty && !$0.hasEndOfCandidates })
    var replacing = Samples.offer
    replacing.transport = Samples.transport(.actpass, candidates: [Samples.candidate])
    for section in replacing.description().media {
      #expect(section.candidates == [Samples.candidate])
      #expect(section.hasEndOfCandidates)
    }
  }

  @Test func `a later offer keeps numbers and session, and counts its version`() throws {
    var later = Samples.offer
    later.sessionID = 123
    let second = MediaSectionOffer(
      mid: "5", kind: .video, direction: .recvonly, codecs: [.vp8, .av1, .vp9],
      headerExtensions: [HeaderExtensionURI.dependencyDescriptor] + HeaderExtensionURI.video)
    later.sections.append(.media(second))
    let next = later.description(following: offer)
    #expect(next.origin.sessionID == offer.origin.sessionID)
    #expect(next.origin.sessionVersion == "2")
    #expect(Array(next.media.prefix(5)) == offer.media)
    let added = try #require(next.media.last?.codecs.filter { !$0.isRetransmission })
    let first = offer.media[0].codecs.filter { !$0.isRetransmission }
    #expect(added.map(\.name) == ["VP8", "AV1", "VP9"])
    #expect(added[0] == first[1] && added[2] == first[0])
    #expect(!offer.media.flatMap(\.payloadTypes).contains(added[1].payloadType))
    let descriptor = next.media.last?.headerExtensions.first
    #expect(descriptor?.uri == HeaderExtensionURI.dependencyDescriptor)
    #expect(!offer.media.flatMap(\.headerExtensions).map(\.id).contains(descriptor?.id ?? 0))
  }

  @Test func `a section no longer used keeps its place with port 0, outside the bundle`() {
    var later = Samples.offer
    later.sections[1] = .rejected(offer.media[1])
    let next = later.description(following: offer)
    #expect(next.media.count == 5)
    #expect(next.media[1].isRejected && !next.media[1].isBundleOnly)
    #expect(next.media[1].mid == "1")
    #expect(next.media[1].formats == offer.media[1].formats)
    #expect(next.bundle == ["0", "2", "3", "4"])
  }

  @Test func `codecs beyond the numbers there are, are not offered`() {
    let many = (0..<100).map { CodecCapability(name: "x\($0)", clockRate: 90000) }
    var section = Samples.picture
    section.codecs = many
    let offer = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(section)])
    let numbers = offer.description().media[0].payloadTypes
    #expect(numbers.count == 61)
    #expect(Set(numbers).count == 61)
    #expect(numbers.allSatisfy { !(64...95).contains($0) })
  }

  @Test func `header extensions beyond number 14 are not offered`() {
    var section = Samples.picture
    section.headerExtensions = (0..<20).map { "urn:x:\($0)" }
    let offer = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(section)])
    #expect(offer.description().media[0].headerExtensions.map(\.id) == Array(1...14))
  }

  @Test func `static payload types keep their assigned numbers`() {
    var section = Samples.sound
    section.codecs = [
      CodecCapability(name: "PCMA", clockRate: 8000), CodecCapability(name: "pcmu", clockRate: 8000), .opus,
    ]
    let offer = SessionOffer(
      sessionID: 1, transport: Samples.transport(.actpass), sections: [.media(section)])
    #expect(offer.description().media[0].payloadTypes == [8, 0, 96])
  }
}
