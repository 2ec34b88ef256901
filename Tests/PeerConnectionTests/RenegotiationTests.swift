import ICE
import PeerConnection
import SCTP
import SDP
import Testing
import TestSupport
import WireFormat

struct RenegotiationTests {
  private func connect() throws -> TwoPeers {
    let peers = try TwoPeers()
    _ = peers.offerer.connection.addTransceiver(.video, direction: .sendonly)
    _ = peers.offerer.connection.addTransceiver(.audio, direction: .recvonly)
    _ = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    try peers.negotiate()
    try #require(peers.run(for: .seconds(5)) { peers.isConnected && channel(of: peers.answerer) != nil })
    return peers
  }

  private func channel(of peer: TwoPeers.Peer) -> DataChannelID? {
    for case .channelOpened(let id, _, _) in peer.events { return id }
    return nil
  }

  /// One peer restarts ICE and offers; the other answers as it did the first time.
  private func restart(_ one: TwoPeers.Peer, _ other: TwoPeers.Peer, at now: Instant) throws -> String {
    one.connection.restartICE(at: now)
    let offer = try one.connection.createOffer(at: now)
    let answer = try other.connection.answer(offer, at: now) { _, section in
      section.direction?.reversed ?? .sendrecv
    }
    try one.connection.setRemoteAnswer(answer, at: now)
    return offer
  }

  @Test(arguments: [false, true])
  func `either side may restart ICE, and data flows on over a new pair`(byAnswerer: Bool) throws {
    let peers = try connect()
    let (one, other) = byAnswerer ? (peers.answerer, peers.offerer) : (peers.offerer, peers.answerer)
    let before = one.connection.statistics(at: peers.now).pairs.first { $0.isSelected }?.id
    _ = try restart(one, other, at: peers.now)
    #expect(
      peers.run(for: .seconds(5)) {
        let selected = one.connection.statistics(at: peers.now).pairs.first { $0.isSelected }
        return selected != nil && selected?.id != before
      })
    for peer in [one, other] {
      let id = try #require(channel(of: peer))
      try peer.connection.send([1, 2, 3], isText: false, on: id, at: peers.now)
    }
    #expect(
      peers.run(for: .seconds(5)) {
        [one, other].allSatisfy { peer in
          peer.events.contains { if case .message(_, [1, 2, 3], _) = $0 { true } else { false } }
        }
      })
    #expect(peers.isConnected)
  }

  @Test func `a peer that answered offers the same sections under the same names`() throws {
    let peers = try connect()
    let offer = try SessionDescription(
      parsing: restart(peers.answerer, peers.offerer, at: peers.now))
    #expect(offer.media.map(\.mid) == ["0", "1", "2"])
    #expect(offer.media.map(\.kind) == [.video, .audio, .application])
    #expect(offer.media.map(\.direction) == [.recvonly, .sendonly, nil])
  }

  // RFC 8839 section 4.4.1.1.1: both sides' credentials change with a restart.
  @Test func `an answer to a restart has new credentials`() throws {
    let peers = try connect()
    func credentials(_ sdp: String) throws -> IceCredentials? {
      try SessionDescription(parsing: sdp).offeredCredentials
    }
    func answer() throws -> String {
      let offer = try peers.answerer.connection.createOffer(at: peers.now)
      return try peers.offerer.connection.answer(offer, at: peers.now) { _, section in
        section.direction?.reversed
      }
    }
    let first = try credentials(answer())
    peers.answerer.connection.restartICE(at: peers.now)
    let second = try credentials(answer())
    #expect(first != nil && second != nil && first != second)
    #expect(try credentials(answer()) == second)
  }

  // RFC 8842 section 5.5: as long as the association lives, an answer keeps its roles.
  @Test func `an answer to a later offer keeps the DTLS roles`() throws {
    let peers = try connect()
    peers.answerer.connection.restartICE(at: peers.now)
    let offer = try peers.answerer.connection.createOffer(at: peers.now)
    #expect(offer.contains("a=setup:actpass"))
    let answer = try peers.offerer.connection.answer(offer, at: peers.now) { _, section in
      section.direction?.reversed
    }
    #expect(answer.contains("a=setup:passive"))
    #expect(!answer.contains("a=setup:active"))
  }
}
