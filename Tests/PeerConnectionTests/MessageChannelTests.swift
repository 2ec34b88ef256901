import PeerConnection
import SCTP
import Testing
import WireFormat

struct MessageChannelTests {
  /// Two connected peers that negotiated chunking, with one channel that the offerer opened.
  private func connect(
    options: DataChannelOptions = DataChannelOptions()
  ) throws -> (peers: TwoPeers, channel: DataChannelID) {
    let peers = try TwoPeers()
    let channel = try peers.offerer.connection.openChannel(label: "data", options: options, at: peers.now)
    try peers.negotiate()
    try #require(peers.run(for: .seconds(5)) { !opened(by: peers.answerer).isEmpty })
    return (peers, channel)
  }

  private func opened(by peer: TwoPeers.Peer) -> [DataChannelID] {
    peer.events.compactMap { if case .channelOpened(let id, _, _) = $0 { id } else { nil } }
  }

  private func messages(of peer: TwoPeers.Peer) -> [[UInt8]] {
    peer.events.compactMap { if case .message(_, let bytes, _) = $0 { bytes } else { nil } }
  }

  private func isClosed(at peer: TwoPeers.Peer) -> Bool {
    peer.events.contains { if case .channelClosed = $0 { true } else { false } }
  }

  @Test func `closing a channel delivers all that was sent on it before`() throws {
    let (peers, channel) = try connect()
    let sent = [[UInt8](repeating: 1, count: 5 << 20), [2], [UInt8](repeating: 3, count: 2 << 20)]
    for message in sent {
      try peers.offerer.connection.send(message, isText: false, on: channel, at: peers.now)
    }
    peers.offerer.connection.closeChannel(channel, at: peers.now)
    #expect(peers.run(for: .seconds(60)) { isClosed(at: peers.offerer) && isClosed(at: peers.answerer) })
    #expect(messages(of: peers.answerer) == sent)
  }

  @Test func `a channel that is closing takes no further message`() throws {
    let (peers, channel) = try connect()
    try peers.offerer.connection.send(
      [UInt8](repeating: 1, count: 5 << 20), isText: false, on: channel, at: peers.now)
    peers.offerer.connection.closeChannel(channel, at: peers.now)
    #expect(throws: PeerConnectionError.dataChannel(.channelClosed)) {
      try peers.offerer.connection.send([1], isText: false, on: channel, at: peers.now)
    }
  }

  /// The peer sees what is on the wire: it negotiated chunking, and takes such a channel's messages as they are.
  @Test(arguments: [
    (false, DataChannelOptions.Reliability.full), (true, .maxRetransmits(3)),
    (false, .maxPacketLifetime(milliseconds: 500)),
  ])
  func `messages are not chunked where fragments could come out of order or not at all`(
    isOrdered: Bool, reliability: DataChannelOptions.Reliability
  ) throws {
    var options = DataChannelOptions()
    options.isOrdered = isOrdered
    options.reliability = reliability
    let (peers, channel) = try connect(options: options)
    let bytesBefore = peers.offerer.connection.statistics(at: peers.now).association.bytesSent
    try peers.offerer.connection.send([7], isText: false, on: channel, at: peers.now)
    #expect(peers.run(for: .seconds(5)) { !messages(of: peers.answerer).isEmpty })
    #expect(peers.offerer.connection.statistics(at: peers.now).association.bytesSent == bytesBefore + 1)
    #expect(throws: PeerConnectionError.messageTooLarge(size: 262_145, limit: 262_144)) {
      try peers.offerer.connection.send(
        [UInt8](repeating: 1, count: 262_145), isText: false, on: channel, at: peers.now)
    }
    let back = try #require(opened(by: peers.answerer).first)
    let large = [UInt8](repeating: 9, count: 262_144)
    try peers.answerer.connection.send(large, isText: false, on: back, at: peers.now)
    #expect(peers.run(for: .seconds(5)) { messages(of: peers.offerer) == [large] })
  }
}
