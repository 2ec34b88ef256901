import SDP
import Testing

struct DescriptionParserTests {
  private static let head = "v=0\no=- 1 2 IN IP4 127.0.0.1\ns=-\nt=0 0\n"

  private func parse(_ text: String) throws(SDPError) -> SessionDescription {
    try SessionDescription(parsing: text)
  }

  @Test(arguments: [
    "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\n",
    "v=0\no=- 1 2 IN IP4 127.0.0.1\ns=-\nt=0 0\nm=audio 9 UDP/TLS/RTP/SAVPF 0\na=mid:0\n",
    "v=0\no=- 1 2 IN IP4 127.0.0.1\ns=-\nt=0 0\nm=audio 9 UDP/TLS/RTP/SAVPF 0\na=mid:0",
    "v=0 \r\no=- 1 2 IN IP4 127.0.0.1\t\r\ns=-\r\nt=0 0  \r\nm=audio 9 UDP/TLS/RTP/SAVPF 0 \r\na=mid:0 \r\n",
    "\n\nv=0\n\no=- 1 2 IN IP4 127.0.0.1\ns=-\nt=0 0\r\n\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\na=mid:0\n\n\n",
    "v=0\r\r\no=- 1  2 IN IP4 127.0.0.1\ns=-\nt=0 0\nm=audio  9 UDP/TLS/RTP/SAVPF  0\na=mid:0\r",
  ])
  func `line ends, blanks and empty lines are forgiven`(text: String) throws {
    #expect(
      try parse(text).serialized()
        == "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\n")
  }

  static let malformed: [(String, SDPError)] = [
    ("", .missingLine(line: 1, expected: "v=0")),
    ("\n\n", .missingLine(line: 3, expected: "v=0")),
    ("v=0\n", .missingLine(line: 2, expected: "o=")),
    ("v=1\n", .malformedLine(line: 1, expected: "v=0")),
    ("v=\n", .malformedLine(line: 1, expected: "v=0")),
    ("o=- 1 2 IN IP4 127.0.0.1\n", .malformedLine(line: 1, expected: "v=0")),
    ("m=audio 9 RTP 0\n", .malformedLine(line: 1, expected: "v=0")),
    ("garbage", .malformedLine(line: 1, expected: "<letter>=<text>")),
    ("{\"type\":\"offer\"}", .malformedLine(line: 1, expected: "<letter>=<text>")),
    ("v", .malformedLine(line: 1, expected: "<letter>=<text>")),
    ("=0", .malformedLine(line: 1, expected: "<letter>=<text>")),
    (" v=0\n", .malformedLine(line: 1, expected: "<letter>=<text>")),
    ("V=0\n", .malformedLine(line: 1, expected: "<letter>=<text>")),
    ("v=0\nm=audio 9 RTP 0\n", .missingLine(line: 2, expected: "o=")),
    ("v=0\no=-\n", .malformedLine(line: 2, expected: "o=<user> <id> <version> IN IP4|IP6 <address>")),
    (
      "v=0\no=- 1 2 IN IP4\n",
      .malformedLine(line: 2, expected: "o=<user> <id> <version> IN IP4|IP6 <address>")
    ),
    (
      "v=0\no=- 1 2 IN IP4 a b\n",
      .malformedLine(line: 2, expected: "o=<user> <id> <version> IN IP4|IP6 <address>")
    ),
    (head + "v=0\n", .malformedLine(line: 5, expected: "a single v=0")),
    (
      head + "o=- 1 2 IN IP4 127.0.0.1\n",
      .malformedLine(line: 5, expected: "a single o= before the media sections")
    ),
    (head + "m=\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (head + "m=audio\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (head + "m=audio 9\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (head + "m=audio x RTP 0\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (head + "m=audio -9 RTP 0\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (
      head + "m=audio 65536 RTP 0\n",
      .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")
    ),
    (head + "m=audio 9/x RTP 0\n", .malformedLine(line: 5, expected: "m=<kind> <port> <protocol> <formats>")),
    (head + "a=x\nrubbish\na=y\n", .malformedLine(line: 6, expected: "<letter>=<text>")),
    (head + "a=x\0y\n", .malformedLine(line: 5, expected: "<letter>=<text>")),
    (head + "a=x\ra=y\n", .malformedLine(line: 5, expected: "<letter>=<text>")),
    (head + "é=1\n", .malformedLine(line: 5, expected: "<letter>=<text>")),
    (head + "a\n", .malformedLine(line: 5, expected: "<letter>=<text>")),
    (head + "a:x\n", .malformedLine(line: 5, expected: "<letter>=<text>")),
  ]

  @Test(arguments: malformed)
  func `broken structure names the line and what was expected`(text: String, expected: SDPError) {
    #expect(throws: expected) { try parse(text) }
  }

  static let mediaLines: [(String, MediaKind, UInt16, String, [String])] = [
    ("m=audio 9 UDP/TLS/RTP/SAVPF 111 0", .audio, 9, "UDP/TLS/RTP/SAVPF", ["111", "0"]),
    ("m=video 0 UDP/TLS/RTP/SAVPF 0", .video, 0, "UDP/TLS/RTP/SAVPF", ["0"]),
    ("m=video 0 UDP/TLS/RTP/SAVPF", .video, 0, "UDP/TLS/RTP/SAVPF", []),
    (
      "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", .application, 9, "UDP/DTLS/SCTP",
      ["webrtc-datachannel"]
    ),
    ("m=text 65535 RTP/AVP x y", .other("text"), 65535, "RTP/AVP", ["x", "y"]),
  ]

  @Test(arguments: mediaLines)
  func `media lines`(
    line: String, kind: MediaKind, port: UInt16, transport: String, formats: [String]
  ) throws {
    let section = try #require(try parse(DescriptionParserTests.head + line).media.first)
    #expect(section.kind == kind && section.port == port)
    #expect(section.transportProtocol == transport && section.formats == formats)
    #expect(section.mediaLine == line)
    #expect(section.isRejected == (port == 0))
  }

  @Test func `a port count is kept`() throws {
    let section = try #require(
      try parse(DescriptionParserTests.head + "m=audio 5000/2 RTP/AVP 0").media.first)
    #expect(section.portCount == 2)
    #expect(section.mediaLine == "m=audio 5000/2 RTP/AVP 0")
  }

  @Test func `unknown lines stay in their places`() throws {
    let text =
      "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\nz=what\r\ns=a name\r\ni=info\r\nu=http://x\r\ne=a@b\r\np=1\r\n"
      + "c=IN IP4 0.0.0.0\r\nb=CT:1000\r\nt=0 0\r\nr=1\r\nk=clear:x\r\na=x-first\r\na=x-second: odd value\r\n"
      + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\ni=title\r\nb=AS:500\r\nb=TIAS:500000\r\na=x-third\r\nq=?\r\n"
    let description = try parse(text)
    #expect(description.serialized() == text)
    #expect(description.bandwidths.map(\.value) == [1000])
    #expect(description.media[0].bandwidths.map(\.modifier) == ["AS", "TIAS"])
    #expect(description.media[0].bandwidths.map(\.value) == [500, 500_000])
  }

  @Test func `bandwidth lines that are no numbers are left out`() throws {
    let section = try #require(
      try parse(
        DescriptionParserTests.head
          + "m=video 9 UDP/TLS/RTP/SAVPF 96\nb=AS\nb=AS:x\nb=AS: 7\nb=AS:99999999999999999999"
      )
      .media.first)
    #expect(section.bandwidths.map(\.value) == [7])
  }

  @Test func `line numbers of sections are those of the written text`() throws {
    let description = try parse(
      DescriptionParserTests.head + "a=x\nm=audio 9 RTP/AVP 0\na=mid:0\nm=video 9 RTP/AVP 96\n")
    let lines = description.serialized().split(separator: "\r\n")
    #expect(lines[description.lineNumber(ofSection: 0) - 1].hasPrefix("m=audio"))
    #expect(lines[description.lineNumber(ofSection: 1) - 1].hasPrefix("m=video"))
    #expect(description.lineNumber(ofSection: nil) == 1)
  }

  // MARK: Limits

  @Test func `more bytes than allowed are refused`() throws {
    let filler = SDPLimits.bytes - DescriptionParserTests.head.utf8.count - "a=\n".utf8.count
    let fits = DescriptionParserTests.head + "a=" + String(repeating: "x", count: filler) + "\n"
    #expect(try parse(fits).attributes.count == 1)
    #expect(throws: SDPError.tooLarge(bytes: SDPLimits.bytes + 1)) { try parse(fits + "\n") }
  }

  @Test func `more lines than allowed are refused`() throws {
    let fits = DescriptionParserTests.head + String(repeating: "a=x\n", count: SDPLimits.lines - 4)
    #expect(try parse(fits).attributes.count == SDPLimits.lines - 4)
    #expect(throws: SDPError.tooManyLines) { try parse(fits + "a=x\n") }
    #expect(throws: SDPError.tooManyLines) {
      try parse(DescriptionParserTests.head + String(repeating: "\n", count: SDPLimits.lines))
    }
  }

  @Test func `more sections than allowed are refused`() throws {
    let section = "m=audio 9 RTP/AVP 0\n"
    let fits = DescriptionParserTests.head + String(repeating: section, count: SDPLimits.sections)
    #expect(try parse(fits).media.count == SDPLimits.sections)
    #expect(throws: SDPError.tooManySections(line: 5 + SDPLimits.sections)) { try parse(fits + section) }
  }

  // Each would take minutes if anything were quadratic in the size of the text.
  @Test(arguments: HostileSize.allCases)
  func `hostile sizes are handled in linear time`(hostile: HostileSize) throws {
    let description = try parse(DescriptionParserTests.head + hostile.body + "\n")
    _ = description.serialized()
    for section in description.media { _ = (section.codecs, section.streams, section.candidates) }
  }
}

/// A named text just below the limits.
struct HostileSize: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let body: String

  init(_ name: String, _ head: String, _ repeated: String, _ count: Int) {
    testDescription = name
    body = head + String(repeating: repeated, count: count)
  }

  private static let video = "m=video 9 UDP/TLS/RTP/SAVPF 96\n"
  static let allCases = [
    HostileSize("formats", "m=video 9 UDP/TLS/RTP/SAVPF ", "96 ", 85_000),
    HostileSize("mids of a group", "a=group:BUNDLE ", "0 ", 128_000),
    HostileSize("parameters", video + "a=fmtp:96 ", "a;", 120_000),
    HostileSize("sources of a group", video + "a=ssrc-group:FID ", "1 ", 120_000),
    HostileSize("pairs of a candidate", video + "a=candidate:1 1 udp 1 a 1 typ host ", "a b ", 60_000),
    HostileSize("simulcast streams", video + "a=simulcast:send ", "a,b;", 60_000),
    HostileSize("feedback lines", video, "a=rtcp-fb:* nack x1234567890\n", 4000),
    HostileSize("leading blanks", "a=mid:", " ", 250_000),
    HostileSize("blanks alone", "a=", " \t", 125_000),
    HostileSize("pairs of a fingerprint", "a=fingerprint:sha-256 ", "AB:", 80_000),
    HostileSize("base64", "a=sctp-init:", "AAAA", 60_000),
  ]
}
