import ReactorTypes
import ReactorWire
import TestSupport
import Testing

@Suite struct GenerationTests {
  private func session(_ lines: [String]) -> String {
    (["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-"] + lines + ["m=application 9 UDP/DTLS/SCTP webrtc-datachannel"])
      .joined(separator: "\r\n") + "\r\n"
  }

  @Test func `a mirrored declaration means protobuf, none means JSON`() {
    #expect(PlatformExtensions(sdp: session(["a=x-reactor-frame-metadata:1"])).generation == .v1)
    let chunking = PlatformExtensions(sdp: session(["a=x-reactor-dc-chunking:1 max-message-size=67108864"]))
    #expect(chunking.generation == .v1 && chunking.chunkingMaxMessageSize == 67_108_864)
    #expect(PlatformExtensions(sdp: session([])).generation == .v0)
  }

  @Test(
    arguments: [
      ("a=x-reactor-dc-chunking:1", 262_144),
      ("a=x-reactor-dc-chunking:1 other=x max-message-size=70000", 70_000),
      ("a=x-reactor-dc-chunking:2 max-message-size=70000", nil),
      ("a=x-reactor-dc-chunking:1 max-message-size=abc", nil),
      ("a=x-reactor-dc-chunking:1 max-message-size=-1", nil), ("a=x-reactor-dc-chunking:11", nil),
      ("a=x-reactor-dc-chunking", nil), ("a=x-reactor-dc-chunking:", nil),
      ("a=x-reactor-dc-chunking:1 max-message-size=99999999999999999999", nil),
    ] as [(String, Int?)])
  func `only version 1 with a sound size counts`(line: String, size: Int?) {
    #expect(PlatformExtensions(sdp: session([line])).chunkingMaxMessageSize == size)
  }

  @Test func `declarations within a media section do not count, and lines end as they like`() {
    let inside = "v=0\nm=video 9 UDP/TLS/RTP/SAVPF 96\na=x-reactor-frame-metadata:1\n"
    #expect(!PlatformExtensions(sdp: inside).hasFrameMetadata)
    #expect(PlatformExtensions(sdp: "v=0\na=x-reactor-frame-metadata:1\nm=audio").hasFrameMetadata)
    let ours = PlatformExtensions(chunkingMaxMessageSize: 67_108_864, hasFrameMetadata: true)
    #expect(PlatformExtensions(sdp: session(ours.attributeLines)) == ours)
    #expect(
      ours.agreed(with: PlatformExtensions(chunkingMaxMessageSize: 1000))
        == PlatformExtensions(chunkingMaxMessageSize: 1000))
  }

  @Test func `a runtime latches to its client's first frame`() {
    func latch(_ isText: Bool, _ bytes: [UInt8]) -> WireGeneration? {
      var latch = GenerationLatch()
      #expect(latch.current == .v0)
      return latch.hear(WireMessage(channel: .control, isText: isText, bytes: bytes))
    }
    #expect(latch(true, Array("x".utf8)) == .v0)
    #expect(latch(false, Array(" \t{".utf8)) == .v0)
    #expect(latch(false, Array("[1]".utf8)) == .v0)
    #expect(latch(false, hex("10035200")) == .v1)
    #expect(latch(false, []) == .v1)
    // A request id of ten bytes that begins with a brace: tag 0A and length 0A are both blanks to the sniffer.
    #expect(latch(false, hex("0a0a 7b")) == .v0)
    var latched = GenerationLatch()
    _ = latched.hear(WireMessage(channel: .data, isText: false, bytes: hex("10035200")))
    #expect(latched.hear(WireMessage(channel: .data, isText: true, bytes: Array("{}".utf8))) == nil)
    #expect(latched.hear(WireMessage(channel: .data, isText: false, bytes: Array("{}".utf8))) == .v1)
    #expect(latched.current == .v1)
  }
}
