import SDP
import Testing

struct CodecTests {
  private func codecs(_ lines: String, formats: String) throws -> [CodecDescription] {
    try Samples.description("m=video 9 UDP/TLS/RTP/SAVPF \(formats)\n\(lines)").media[0].codecs
  }

  @Test func `lines are collected by payload type, in the order of the media line`() throws {
    let codecs = try codecs(
      """
      a=rtcp-fb:* transport-cc
      a=fmtp:97 apt=96
      a=rtpmap:97 rtx/90000
      a=rtcp-fb:96 nack
      a=rtcp-fb:96 nack
      a=fmtp:96 profile-id=0
      a=fmtp:96 max-fr=30
      a=rtpmap:96 VP9/90000
      a=rtpmap:96 VP8/90000
      a=rtpmap:120 H264/90000
      """, formats: "97 96 0 5 x 96")
    #expect(codecs.map(\.payloadType) == [97, 96, 0])
    #expect(codecs[0].isRetransmission && codecs[0].associatedPayloadType == 96)
    #expect(codecs[1].name == "VP9" && codecs[1].retransmissionPayloadType == 97)
    #expect(codecs[1].parameters.description == "profile-id=0;max-fr=30")
    #expect(codecs[1].feedback == [.nack, .transportWideCC])
    #expect(codecs[2].name == "PCMU" && codecs[2].clockRate == 8000)
  }

  @Test(arguments: ["apt=", "apt=x", "apt=300", "apt=-1", "rtx-time=5", ""])
  func `retransmission without a usable apt belongs to nothing`(parameters: String) throws {
    let codecs = try codecs(
      "a=rtpmap:96 VP8/90000\na=rtpmap:97 rtx/90000\na=fmtp:97 \(parameters)", formats: "96 97")
    #expect(codecs[1].associatedPayloadType == nil)
    #expect(codecs[0].retransmissionPayloadType == nil)
  }

  @Test func `feedback of one codec is bounded`() throws {
    let lines = (0..<100).map { "a=rtcp-fb:96 x\($0)" }.joined(separator: "\n")
    let codecs = try codecs("a=rtpmap:96 VP8/90000\n\(lines)", formats: "96")
    #expect(codecs[0].feedback.count == 32)
  }

  static func codec(
    _ name: String, _ parameters: FormatParameters = FormatParameters(), channels: UInt8 = 1
  )
    -> CodecDescription
  {
    CodecDescription(
      payloadType: 96, name: name, clockRate: 90000, channels: channels, parameters: parameters)
  }

  static let comparisons: [(CodecDescription, CodecDescription, Bool)] = [
    (codec("VP8"), codec("vp8", "max-fr=30"), true),
    (codec("VP8"), codec("VP9"), false),
    (codec("opus", channels: 2), codec("OPUS", "minptime=10", channels: 2), true),
    (codec("opus", channels: 2), codec("opus"), false),
    (codec("VP9"), codec("VP9", "profile-id=0"), true),
    (codec("VP9", "profile-id=2"), codec("VP9", "Profile-ID=2"), true),
    (codec("VP9", "profile-id=2"), codec("VP9"), false),
    (codec("AV1", "profile=0;tier=0"), codec("AV1", "level-idx=5"), true),
    (codec("AV1", "profile=1"), codec("AV1"), false),
    (
      codec("H264", "packetization-mode=1;profile-level-id=42e01f"),
      codec("H264", "profile-level-id=42E034;packetization-mode=1"), true
    ),
    (
      codec("H264", "packetization-mode=1;profile-level-id=42e01f"),
      codec("H264", "packetization-mode=1;profile-level-id=42001f"), false
    ),
    (
      codec("H264", "packetization-mode=1;profile-level-id=42e01f"),
      codec("H264", "packetization-mode=0;profile-level-id=42e01f"), false
    ),
    (
      codec("H264", "packetization-mode=1;profile-level-id=42e01f"),
      codec("H264", "packetization-mode=1;profile-level-id=4d801f"), true
    ),
    (
      codec("H264", "packetization-mode=1;profile-level-id=42e01f"), codec("H264", "packetization-mode=1"),
      true
    ),
    (codec("H264", "profile-level-id=640c1f"), codec("H264", "profile-level-id=64001f"), false),
    (codec("H264", "profile-level-id=64001f"), codec("H264", "profile-level-id=640028"), true),
    (codec("H264", "profile-level-id=zzzzzz"), codec("H264", "profile-level-id=zzzzzz"), false),
    (codec("H264", "profile-level-id=+2e01f"), codec("H264", "profile-level-id=42e01f"), false),
    (codec("rtx", "apt=96"), codec("rtx", "apt=98"), false),
  ]

  @Test(arguments: comparisons)
  func `formats are the same when what separates them is`(
    left: CodecDescription, right: CodecDescription, isSame: Bool
  ) {
    #expect(left.isSameFormat(as: right) == isSame)
    #expect(right.isSameFormat(as: left) == isSame)
  }

  @Test func `parameters keep their order and are found whatever their case`() {
    let parameters = FormatParameters(parsing: " a = 1 ; B=2;a=3; flag ;c=x=y")
    #expect(parameters.description == "a=1;B=2;a=3;flag;c=x=y")
    #expect(parameters["A"] == "1" && parameters["b"] == "2" && parameters["c"] == "x=y")
    #expect(parameters["flag"] == nil && parameters["missing"] == nil)
    #expect(parameters.number("b") == 2 && parameters.number("c") == nil)
    #expect(parameters.list.count == 5 && !parameters.isEmpty)
  }

  @Test func `streams join a source and its repair`() throws {
    let section = try Samples.description(
      """
      m=video 9 UDP/TLS/RTP/SAVPF 96
      a=ssrc-group:SIM 1 3
      a=ssrc-group:FID 1 2
      a=ssrc-group:FID 3 4 5
      a=ssrc-group:FEC-FR 1 6
      a=ssrc-group:FID 8 9
      a=ssrc:1 cname:one
      a=ssrc:1 cname:again
      a=ssrc:2 cname:one
      a=ssrc:3 msid:s t
      a=ssrc:6 cname:one
      """
    ).media[0]
    #expect(
      section.streams == [
        StreamDescription(ssrc: 1, retransmissionSSRC: 2, cname: "one"), StreamDescription(ssrc: 3),
        StreamDescription(ssrc: 4), StreamDescription(ssrc: 5),
        StreamDescription(ssrc: 8, retransmissionSSRC: 9),
      ])
  }
}
