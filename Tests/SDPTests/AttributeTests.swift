import SDP
import Testing

/// Single lines: what they mean, or that they mean nothing and stay as they are.
struct AttributeTests {
  private func content(of line: String) throws -> AttributeContent {
    let text = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n\(line)\r\n"
    let description = try SessionDescription(parsing: text)
    let attribute = try #require(description.media.first?.attributes.first)
    #expect(description.serialized() == text)
    return attribute.content
  }

  static let flags: [(String, AttributeContent)] = [
    ("a=rtcp-mux", .rtcpMux),
    ("a=rtcp-mux-only", .rtcpMuxOnly),
    ("a=rtcp-rsize", .rtcpRsize),
    ("a=ice-lite", .iceLite),
    ("a=bundle-only", .bundleOnly),
    ("a=end-of-candidates", .endOfCandidates),
    ("a=extmap-allow-mixed", .extmapAllowMixed),
    ("a=rtcp-mux:", .rtcpMux),
    ("a=rtcp-rsize:1", .rtcpRsize),
    ("a=sendrecv", .direction(.sendrecv)),
    ("a=sendonly", .direction(.sendonly)),
    ("a=recvonly", .direction(.recvonly)),
    ("a=inactive", .direction(.inactive)),
    ("a=RTCP-MUX", .uninterpreted),
    ("a=sendRecv", .uninterpreted),
    ("a=rtcp-muxx", .uninterpreted),
    ("a= rtcp-mux", .uninterpreted),
    ("a=", .uninterpreted),
    ("a=:", .uninterpreted),
    ("a=:x", .uninterpreted),
    ("a=x-unknown", .uninterpreted),
    ("a=x-unknown:with a value:and colons", .uninterpreted),
    ("a=über:ümlaut", .uninterpreted),
  ]

  static let identifiers: [(String, AttributeContent)] = [
    ("a=mid:0", .mid("0")),
    ("a=mid:video", .mid("video")),
    ("a=mid: 1", .mid("1")),
    ("a=mid:", .uninterpreted),
    ("a=mid", .uninterpreted),
    ("a=mid:a b", .uninterpreted),
    ("a=group:BUNDLE 0 1 2", .group(MediaGroup(semantics: "BUNDLE", mids: ["0", "1", "2"]))),
    ("a=group:BUNDLE", .group(MediaGroup(semantics: "BUNDLE", mids: []))),
    ("a=group:LS a  b", .group(MediaGroup(semantics: "LS", mids: ["a", "b"]))),
    ("a=group:", .uninterpreted),
    ("a=group", .uninterpreted),
    ("a=msid:stream track", .msid(MediaStreamID(stream: "stream", track: "track"))),
    ("a=msid:- track", .msid(MediaStreamID(stream: "-", track: "track"))),
    ("a=msid:stream", .msid(MediaStreamID(stream: "stream", track: nil))),
    ("a=msid:stream track appdata", .msid(MediaStreamID(stream: "stream", track: "track"))),
    ("a=msid:", .uninterpreted),
    ("a=rid:hi send", .restriction(RestrictionIdentifier(id: "hi", direction: .send))),
    (
      "a=rid:lo recv pt=97;max-width=320",
      .restriction(
        RestrictionIdentifier(id: "lo", direction: .recv, restrictions: "pt=97;max-width=320"))
    ),
    ("a=rid:hi", .uninterpreted),
    ("a=rid:hi sideways", .uninterpreted),
    ("a=rid:", .uninterpreted),
    (
      "a=simulcast:send hi;lo",
      .simulcast(SimulcastDescription(send: [[.init(rid: "hi")], [.init(rid: "lo")]]))
    ),
    (
      "a=simulcast:recv a,~b send c",
      .simulcast(
        SimulcastDescription(
          send: [[.init(rid: "c")]], receive: [[.init(rid: "a"), .init(rid: "b", isPaused: true)]]))
    ),
    ("a=simulcast:send", .uninterpreted),
    ("a=simulcast:send a send b", .uninterpreted),
    ("a=simulcast:send a recv", .uninterpreted),
    ("a=simulcast:both a", .uninterpreted),
    ("a=simulcast:", .uninterpreted),
  ]

  static let transports: [(String, AttributeContent)] = [
    ("a=ice-ufrag:qmN4", .iceUfrag("qmN4")),
    ("a=ice-ufrag:a/b+", .iceUfrag("a/b+")),
    ("a=ice-ufrag:a-_=", .iceUfrag("a-_=")),
    ("a=ice-ufrag:abc", .uninterpreted),
    ("a=ice-ufrag:", .uninterpreted),
    ("a=ice-ufrag:ab cd", .uninterpreted),
    ("a=ice-ufrag:\(String(repeating: "u", count: 256))", .iceUfrag(String(repeating: "u", count: 256))),
    ("a=ice-ufrag:\(String(repeating: "u", count: 257))", .uninterpreted),
    ("a=ice-pwd:\(String(repeating: "p", count: 22))", .icePwd(String(repeating: "p", count: 22))),
    ("a=ice-pwd:\(String(repeating: "p", count: 21))", .uninterpreted),
    ("a=ice-pwd:\(String(repeating: "p", count: 257))", .uninterpreted),
    ("a=ice-pwd:\(String(repeating: "ü", count: 22))", .uninterpreted),
    ("a=ice-pwd", .uninterpreted),
    ("a=ice-options:trickle", .iceOptions(["trickle"])),
    ("a=ice-options:trickle  goog-sped-v1", .iceOptions(["trickle", "goog-sped-v1"])),
    ("a=ice-options:", .iceOptions([])),
    ("a=ice-options", .uninterpreted),
    ("a=setup:actpass", .setup(.actpass)),
    ("a=setup:active", .setup(.active)),
    ("a=setup:passive", .setup(.passive)),
    ("a=setup:holdconn", .setup(.holdconn)),
    ("a=setup: ACTIVE", .setup(.active)),
    ("a=setup:both", .uninterpreted),
    ("a=setup:", .uninterpreted),
    (
      "a=fingerprint:sha-1 00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13",
      .fingerprint(Fingerprint(algorithm: "sha-1", bytes: Array(0...19)))
    ),
    (
      "a=fingerprint:SHA-1 00:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f:10:11:12:13",
      .fingerprint(Fingerprint(algorithm: "sha-1", bytes: Array(0...19)))
    ),
    (
      "a=fingerprint:md5 AB:CD", .fingerprint(Fingerprint(algorithm: "md5", bytes: [0xAB, 0xCD]))
    ),
    ("a=fingerprint:sha-256 AB:CD", .uninterpreted),
    ("a=fingerprint:sha-1 00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12", .uninterpreted),
    ("a=fingerprint:md5 ABC:D", .uninterpreted),
    ("a=fingerprint:md5 +A:+B", .uninterpreted),
    ("a=fingerprint:md5 AB::CD", .uninterpreted),
    ("a=fingerprint:md5 AB:CG", .uninterpreted),
    ("a=fingerprint:md5 AB:CD extra", .uninterpreted),
    ("a=fingerprint:md5", .uninterpreted),
    ("a=fingerprint:", .uninterpreted),
    ("a=rtcp:9 IN IP4 0.0.0.0", .rtcp(port: 9)),
    ("a=rtcp:36273", .rtcp(port: 36273)),
    ("a=rtcp:36273 IN IP6 ::", .rtcp(port: 36273)),
    ("a=rtcp:65536", .uninterpreted),
    ("a=rtcp:", .uninterpreted),
    ("a=rtcp", .uninterpreted),
    ("a=rtcp:x IN IP4 0.0.0.0", .uninterpreted),
  ]

  static let formats: [(String, AttributeContent)] = [
    ("a=rtpmap:96 VP8/90000", .rtpmap(RTPMap(payloadType: 96, name: "VP8", clockRate: 90000))),
    (
      "a=rtpmap:111 opus/48000/2",
      .rtpmap(RTPMap(payloadType: 111, name: "opus", clockRate: 48000, channels: 2))
    ),
    ("a=rtpmap: 96  VP8/90000", .rtpmap(RTPMap(payloadType: 96, name: "VP8", clockRate: 90000))),
    (
      "a=rtpmap:0 PCMU/8000/1", .rtpmap(RTPMap(payloadType: 0, name: "PCMU", clockRate: 8000, channels: 1))
    ),
    ("a=rtpmap:127 x/1", .rtpmap(RTPMap(payloadType: 127, name: "x", clockRate: 1))),
    ("a=rtpmap:128 VP8/90000", .uninterpreted),
    ("a=rtpmap:-1 VP8/90000", .uninterpreted),
    ("a=rtpmap:+96 VP8/90000", .uninterpreted),
    ("a=rtpmap:96 VP8", .uninterpreted),
    ("a=rtpmap:96 VP8/", .uninterpreted),
    ("a=rtpmap:96 VP8/0", .uninterpreted),
    ("a=rtpmap:96 VP8/4294967296", .uninterpreted),
    ("a=rtpmap:96 /90000", .uninterpreted),
    ("a=rtpmap:96 opus/48000/0", .uninterpreted),
    ("a=rtpmap:96 opus/48000/256", .uninterpreted),
    ("a=rtpmap:96", .uninterpreted),
    ("a=rtpmap:", .uninterpreted),
    ("a=rtpmap:x VP8/90000", .uninterpreted),
    (
      "a=fmtp:97 apt=96",
      .formatParameters(FormatParametersAttribute(payloadType: 97, parameters: "apt=96"))
    ),
    (
      "a=fmtp:111 minptime=10; useinbandfec=1",
      .formatParameters(
        FormatParametersAttribute(payloadType: 111, parameters: "minptime=10;useinbandfec=1"))
    ),
    (
      "a=fmtp:63 111/111",
      .formatParameters(FormatParametersAttribute(payloadType: 63, parameters: "111/111"))
    ),
    (
      "a=fmtp:96 x=",
      .formatParameters(
        FormatParametersAttribute(payloadType: 96, parameters: FormatParameters([.init("x", "")])))
    ),
    (
      "a=fmtp:96 ;;a=1;;b;",
      .formatParameters(FormatParametersAttribute(payloadType: 96, parameters: "a=1;b"))
    ),
    (
      "a=fmtp:96 sprop=AAA==",
      .formatParameters(
        FormatParametersAttribute(
          payloadType: 96, parameters: FormatParameters([.init("sprop", "AAA==")])))
    ),
    (
      "a=fmtp:96",
      .formatParameters(FormatParametersAttribute(payloadType: 96, parameters: FormatParameters()))
    ),
    ("a=fmtp:128 a=1", .uninterpreted),
    ("a=fmtp:* a=1", .uninterpreted),
    ("a=fmtp:", .uninterpreted),
    ("a=fmtp", .uninterpreted),
    ("a=rtcp-fb:96 nack", .feedback(RTCPFeedbackAttribute(payloadType: 96, feedback: .nack))),
    ("a=rtcp-fb:96 nack pli", .feedback(RTCPFeedbackAttribute(payloadType: 96, feedback: .pictureLoss))),
    ("a=rtcp-fb:* ccm fir", .feedback(RTCPFeedbackAttribute(payloadType: nil, feedback: .fullIntraRequest))),
    (
      "a=rtcp-fb:* transport-cc",
      .feedback(RTCPFeedbackAttribute(payloadType: nil, feedback: .transportWideCC))
    ),
    ("a=rtcp-fb:96 goog-remb", .feedback(RTCPFeedbackAttribute(payloadType: 96, feedback: .remb))),
    (
      "a=rtcp-fb:96 ccm tmmbr smaxpr=120",
      .feedback(RTCPFeedbackAttribute(payloadType: 96, feedback: RTCPFeedback("ccm", "tmmbr smaxpr=120")))
    ),
    (
      "a=rtcp-fb:96 trr-int 100",
      .feedback(RTCPFeedbackAttribute(payloadType: 96, feedback: RTCPFeedback("trr-int", "100")))
    ),
    ("a=rtcp-fb:96", .uninterpreted),
    ("a=rtcp-fb:*", .uninterpreted),
    ("a=rtcp-fb:** nack", .uninterpreted),
    ("a=rtcp-fb:200 nack", .uninterpreted),
    ("a=rtcp-fb:", .uninterpreted),
  ]

  static let extensions: [(String, AttributeContent)] = [
    ("a=extmap:1 urn:x", .extmap(HeaderExtension(id: 1, uri: "urn:x"))),
    ("a=extmap:14 urn:x", .extmap(HeaderExtension(id: 14, uri: "urn:x"))),
    ("a=extmap:255 urn:x", .extmap(HeaderExtension(id: 255, uri: "urn:x"))),
    ("a=extmap:4096 urn:x", .extmap(HeaderExtension(id: 4096, uri: "urn:x"))),
    ("a=extmap:2/sendonly urn:x", .extmap(HeaderExtension(id: 2, uri: "urn:x", direction: .sendonly))),
    ("a=extmap:2/recvonly urn:x", .extmap(HeaderExtension(id: 2, uri: "urn:x", direction: .recvonly))),
    ("a=extmap:2/inactive urn:x", .extmap(HeaderExtension(id: 2, uri: "urn:x", direction: .inactive))),
    (
      "a=extmap:3 urn:x vad=on more", .extmap(HeaderExtension(id: 3, uri: "urn:x", parameters: "vad=on more"))
    ),
    ("a=extmap:0 urn:x", .uninterpreted),
    ("a=extmap:256 urn:x", .uninterpreted),
    ("a=extmap:4352 urn:x", .uninterpreted),
    ("a=extmap:70000 urn:x", .uninterpreted),
    ("a=extmap:2/backwards urn:x", .uninterpreted),
    ("a=extmap:2/ urn:x", .uninterpreted),
    ("a=extmap:/sendonly urn:x", .uninterpreted),
    ("a=extmap:1", .uninterpreted),
    ("a=extmap:x urn:x", .uninterpreted),
    ("a=extmap:", .uninterpreted),
  ]

  static let sources: [(String, AttributeContent)] = [
    ("a=ssrc:1 cname:abc", .ssrc(SSRCAttribute(ssrc: 1, name: "cname", value: "abc"))),
    (
      "a=ssrc:4294967295 cname:a b", .ssrc(SSRCAttribute(ssrc: .max, name: "cname", value: "a b"))
    ),
    ("a=ssrc:7 msid:s t", .ssrc(SSRCAttribute(ssrc: 7, name: "msid", value: "s t"))),
    ("a=ssrc:7 cname:", .ssrc(SSRCAttribute(ssrc: 7, name: "cname", value: ""))),
    ("a=ssrc:7 flag", .ssrc(SSRCAttribute(ssrc: 7, name: "flag", value: nil))),
    ("a=ssrc:7", .ssrc(SSRCAttribute(ssrc: 7, name: nil, value: nil))),
    ("a=ssrc: 7  cname:x", .ssrc(SSRCAttribute(ssrc: 7, name: "cname", value: "x"))),
    ("a=ssrc:4294967296 cname:x", .uninterpreted),
    ("a=ssrc:-1 cname:x", .uninterpreted),
    ("a=ssrc:cname:x", .uninterpreted),
    ("a=ssrc:", .uninterpreted),
    ("a=ssrc", .uninterpreted),
    ("a=ssrc-group:FID 1 2", .ssrcGroup(SSRCGroup(semantics: "FID", ssrcs: [1, 2]))),
    ("a=ssrc-group:SIM 1 2 3", .ssrcGroup(SSRCGroup(semantics: "SIM", ssrcs: [1, 2, 3]))),
    ("a=ssrc-group:FID 1", .ssrcGroup(SSRCGroup(semantics: "FID", ssrcs: [1]))),
    ("a=ssrc-group:FID", .uninterpreted),
    ("a=ssrc-group:FID 1 x", .uninterpreted),
    ("a=ssrc-group:FID 1 4294967296", .uninterpreted),
    ("a=ssrc-group:", .uninterpreted),
  ]

  static let dataChannels: [(String, AttributeContent)] = [
    ("a=sctp-port:5000", .sctpPort(5000)),
    ("a=sctp-port: 5000", .sctpPort(5000)),
    ("a=sctp-port:65535", .sctpPort(65535)),
    ("a=sctp-port:65536", .uninterpreted),
    ("a=sctp-port:-1", .uninterpreted),
    ("a=sctp-port:", .uninterpreted),
    ("a=sctpmap:5000 webrtc-datachannel 1024", .sctpPort(5000)),
    ("a=sctpmap:", .uninterpreted),
    ("a=max-message-size:262144", .maxMessageSize(262_144)),
    ("a=max-message-size:0", .maxMessageSize(0)),
    ("a=max-message-size:18446744073709551615", .maxMessageSize(.max)),
    ("a=max-message-size:18446744073709551616", .uninterpreted),
    ("a=max-message-size:64k", .uninterpreted),
    ("a=max-message-size:", .uninterpreted),
    ("a=sctp-init:AQID", .sctpInit([1, 2, 3])),
    ("a=sctp-init:AQI=", .sctpInit([1, 2])),
    ("a=sctp-init:AQ==", .sctpInit([1])),
    ("a=sctp-init:AQ", .sctpInit([1])),
    ("a=sctp-init:++//", .sctpInit([0xFB, 0xEF, 0xFF])),
    ("a=sctp-init:A", .uninterpreted),
    ("a=sctp-init:A===", .uninterpreted),
    ("a=sctp-init:AQI-", .uninterpreted),
    ("a=sctp-init:AQ ID", .uninterpreted),
    ("a=sctp-init:", .uninterpreted),
    ("a=sctp-init", .uninterpreted),
    ("a=x-reactor-frame-metadata:1", .reactorFrameMetadata(version: "1")),
    ("a=x-reactor-frame-metadata:2", .reactorFrameMetadata(version: "2")),
    ("a=x-reactor-frame-metadata:", .uninterpreted),
    ("a=x-reactor-frame-metadata", .uninterpreted),
    (
      "a=x-reactor-dc-chunking:1 max-message-size=67108864",
      .reactorChunking(DataChannelChunking(maxMessageSize: 67_108_864))
    ),
    ("a=x-reactor-dc-chunking:1", .reactorChunking(DataChannelChunking())),
    (
      "a=x-reactor-dc-chunking:1 other=3 max-message-size=100000 flag",
      .reactorChunking(DataChannelChunking(maxMessageSize: 100_000))
    ),
    (
      "a=x-reactor-dc-chunking:2 max-message-size=5",
      .reactorChunking(DataChannelChunking(version: "2", maxMessageSize: 5))
    ),
    ("a=x-reactor-dc-chunking:1 max-message-size=big", .uninterpreted),
    ("a=x-reactor-dc-chunking:1 max-message-size=", .uninterpreted),
    ("a=x-reactor-dc-chunking:1 max-message-size=0", .uninterpreted),
    ("a=x-reactor-dc-chunking:1 max-message-size=-1", .uninterpreted),
    ("a=x-reactor-dc-chunking:", .uninterpreted),
  ]

  @Test(arguments: flags + identifiers)
  func `flags and identifiers`(line: String, expected: AttributeContent) throws {
    #expect(try content(of: line) == expected)
  }

  @Test(arguments: transports)
  func `transport attributes`(line: String, expected: AttributeContent) throws {
    #expect(try content(of: line) == expected)
  }

  @Test(arguments: formats)
  func `format attributes`(line: String, expected: AttributeContent) throws {
    #expect(try content(of: line) == expected)
  }

  @Test(arguments: extensions + sources)
  func `header extensions and sources`(line: String, expected: AttributeContent) throws {
    #expect(try content(of: line) == expected)
  }

  @Test(arguments: dataChannels)
  func `data channels and the platform's own`(line: String, expected: AttributeContent) throws {
    #expect(try content(of: line) == expected)
  }

  @Test func `there are at least two hundred lines here`() {
    let transports = AttributeTests.transports.count + AttributeTests.dataChannels.count
    let formats = AttributeTests.formats.count + AttributeTests.extensions.count
    let names = AttributeTests.flags.count + AttributeTests.identifiers.count + AttributeTests.sources.count
    #expect(transports + formats + names >= 200)
  }

  @Test func `a line break in a value cannot start a line of its own`() {
    let attribute = SDPAttribute("x-name\r\n", "a\r\na=setup:active\0")
    #expect(attribute.text == "x-name:aa=setup:active")
    #expect(attribute.content == .uninterpreted)
  }
}
