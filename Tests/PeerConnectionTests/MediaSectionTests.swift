import PeerConnection
import RTP
import SDP
import TestSupport
import Testing
import WireFormat

struct MediaSectionTests {
  /// Two connected peers; the offerer sends video in section 0.
  private func connectedPeers() throws -> TwoPeers {
    var conditions = LinkEmulator<TwoPeers.Datagram>.Conditions()
    conditions.delayMilliseconds = 5
    let peers = try TwoPeers(conditions: conditions)
    _ = peers.offerer.connection.addTransceiver(.video, direction: .sendonly)
    try peers.negotiate()
    try #require(peers.run(for: .seconds(5)) { peers.isConnected })
    return peers
  }

  private func frame(_ number: Int, isKeyframe: Bool, size: Int = 300) -> EncodedVideoFrame {
    var data = [UInt8](repeating: 7, count: size)
    // The first byte of a VP8 frame says whether it is a keyframe; then start code and size follow.
    let head: [UInt8] = isKeyframe ? [0x10, 2, 0, 0x9D, 1, 0x2A, 0x40, 1, 0xB4, 0] : [0x11, 2, 0]
    data.replaceSubrange(0..<head.count, with: head)
    return EncodedVideoFrame(
      codec: .vp8, data: data, isKeyframe: isKeyframe, rtpTimestamp: UInt32(number * 3000),
      width: isKeyframe ? 320 : 0, height: isKeyframe ? 180 : 0)
  }

  private func send(
    _ numbers: Range<Int>, keyframes: Set<Int> = [], by peer: TwoPeers.Peer, on mid: String, _ peers: TwoPeers
  ) {
    for number in numbers {
      peer.connection.sendVideo(frame(number, isKeyframe: keyframes.contains(number)), on: mid, at: peers.now)
      peers.run(for: .milliseconds(33))
    }
    peers.run(for: .milliseconds(200))
  }

  private func frames(_ peer: TwoPeers.Peer, mid: String) -> [Bool] {
    peer.events.compactMap {
      if case .videoFrame(mid, let frame) = $0 { frame.isKeyframe } else { nil }
    }
  }

  @Test func `a section that is off sends nothing, and begins with a keyframe when it is on again`() throws {
    let peers = try connectedPeers()
    let on = try peers.negotiate()
    send(0..<5, keyframes: [0], by: peers.offerer, on: "0", peers)
    #expect(frames(peers.answerer, mid: "0").count == 5)

    peers.offerer.connection.setDirection(.inactive, of: "0")
    let off = try peers.negotiate()
    // A browser shows the track again only if its source stayed.
    #expect(off.offer.media[0].direction == .inactive)
    #expect(off.offer.media[0].streams == on.offer.media[0].streams)
    #expect(peers.offerer.connection.negotiatedSender(of: "0") == nil)
    send(5..<10, keyframes: [6], by: peers.offerer, on: "0", peers)
    #expect(frames(peers.answerer, mid: "0").count == 5)

    peers.offerer.connection.setDirection(.sendonly, of: "0")
    try peers.negotiate()
    #expect(peers.offerer.connection.negotiatedSender(of: "0") == .video(.vp8))
    peers.offerer.events.removeAll()
    send(10..<15, keyframes: [12], by: peers.offerer, on: "0", peers)
    #expect(frames(peers.answerer, mid: "0").suffix(from: 5) == [true, false, false])
    #expect(peers.offerer.events.contains { if case .keyframeRequested("0") = $0 { true } else { false } })
  }

  /// Each datagram's buffer has one owner at a time, who gives it back once: else a connection would allocate for each
  /// packet, however large its pool.
  @Test(arguments: [0, 0.02], [1, 2, 3] as [UInt64])
  func `buffers go round, and none is given back twice`(_ loss: Double, _ seed: UInt64) throws {
    var conditions = LinkEmulator<TwoPeers.Datagram>.Conditions()
    conditions.delayMilliseconds = 5
    conditions.loss = loss
    let peers = try TwoPeers(seed: seed, conditions: conditions)
    _ = peers.offerer.connection.addTransceiver(.video, direction: .sendonly)
    _ = peers.offerer.connection.addTransceiver(.audio, direction: .sendonly)
    try peers.negotiate()
    try #require(peers.run(for: .seconds(10)) { peers.isConnected })
    func send(_ numbers: Range<Int>) {
      for number in numbers {
        peers.offerer.connection.sendVideo(
          frame(number, isKeyframe: number % 100 == 0, size: 6000), on: "0", at: peers.now)
        peers.offerer.connection.sendAudio(
          OutgoingAudioPacket(payload: [1, 2, 3], sampleCount: 960, capturedAt: peers.now), on: "1",
          at: peers.now)
        peers.run(for: .milliseconds(20))
      }
    }
    send(0..<400)
    let before = peers.pool.allocations
    send(400..<800)
    #expect(peers.pool.doubleGives == 0)
    #expect(peers.pool.available <= peers.pool.allocations)
    #expect(frames(peers.answerer, mid: "0").count > 600)
    // Without loss nothing is held longer than before.
    #expect(peers.pool.allocations <= before + (loss == 0 ? 0 : 200), "\(before)")
  }

  // As libwebrtc does: its answer names the formats that it prefers, and it sends the offer's first.
  @Test func `a format that was offered is taken though the answer leaves it out`() throws {
    let peers = try TwoPeers()
    _ = peers.offerer.connection.addTransceiver(.video, direction: .recvonly)
    let offer = try peers.offerer.connection.createOffer(at: peers.now)
    let answer = try peers.answerer.connection.answer(offer, at: peers.now) { _, _ in .sendonly }
    #expect(answer.contains("SAVPF 96 97 98 99\r\n"))
    let vp8 = ["a=rtpmap:96 ", "a=rtpmap:97 ", "a=fmtp:97 ", "a=rtcp-fb:96 "]
    let kept = answer.split(separator: "\r\n").filter { line in !vp8.contains { line.hasPrefix($0) } }
    let vp9Only = (kept + [""]).joined(separator: "\r\n")
      .replacing("SAVPF 96 97 98 99", with: "SAVPF 98 99")
    try peers.offerer.connection.setRemoteAnswer(vp9Only, at: peers.now)
    let codecs = peers.offerer.connection.session?.section(mid: "0")?.codecs.map(\.name)
    #expect(codecs == ["VP9"])
    #expect(peers.run(for: .seconds(5)) { peers.isConnected })
    send(0..<3, keyframes: [0], by: peers.answerer, on: "0", peers)
    #expect(frames(peers.offerer, mid: "0") == [true, false, false])
  }
}
