import PeerConnection
import SCTP
import SDP
import Testing
import TestSupport
import WireFormat

struct ConnectionSetUpTests {
  private func dataPeers(
    seed: UInt64 = 1, delay: Double = 10, loss: Double = 0, snap: Bool = true
  ) throws -> TwoPeers {
    var conditions = LinkEmulator<TwoPeers.Datagram>.Conditions()
    conditions.delayMilliseconds = delay
    conditions.loss = loss
    var configuration = PeerConnectionConfiguration()
    configuration.offersSCTPInit = snap
    return try TwoPeers(
      seed: seed, conditions: conditions, offererConfiguration: configuration,
      answererConfiguration: configuration)
  }

  /// Round trips of the link from the moment both descriptions are known to an open channel at the offerer.
  private func roundTripsToOpen(snap: Bool) throws -> Double {
    let peers = try dataPeers(delay: 10, snap: snap)
    let channel = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    try peers.negotiate()
    let start = peers.now
    let opened = peers.run(for: .seconds(5)) {
      peers.offerer.events.contains { event in
        if case .channelOpened(channel, _, _) = event { return true }
        return false
      }
    }
    #expect(opened)
    return (peers.now - start).inMilliseconds / 20
  }

  // ICE 1, DTLS 2, and the association's handshake 2 unless it came with the descriptions. The answerer's
  // ClientHello goes with the first answered check, half a round trip after the offerer has one.
  @Test(arguments: [(true, 3.5), (false, 5.5)])
  func `opens a channel in as few round trips as the handshakes need`(snap: Bool, limit: Double) throws {
    let roundTrips = try roundTripsToOpen(snap: snap)
    #expect(roundTrips <= limit, "\(roundTrips) round trips")
  }

  @Test func `messages pass both ways, text and binary, empty and chunked`() throws {
    let peers = try dataPeers(delay: 1)
    let channel = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    try peers.negotiate()
    #expect(
      peers.run(for: .seconds(5)) {
        peers.isConnected
          && peers.answerer.events.contains { if case .channelOpened = $0 { true } else { false } }
      })
    let large = [UInt8](repeating: 7, count: 300_000)
    let sent: [([UInt8], Bool)] = [
      (Array("hello".utf8), true), ([1, 2, 3], false), ([], true), ([], false), (large, false),
    ]
    for (bytes, isText) in sent {
      try peers.offerer.connection.send(bytes, isText: isText, on: channel, at: peers.now)
    }
    var received: [([UInt8], Bool)] = []
    var remoteChannel: DataChannelID?
    peers.onEvent = { [unowned peers] peer, event in
      if peer === peers.answerer, case .message(let id, let bytes, let isText) = event {
        received.append((bytes, isText))
        remoteChannel = id
      }
    }
    #expect(peers.run(for: .seconds(10)) { received.count == sent.count })
    for (index, message) in received.enumerated() {
      #expect(message.0 == sent[index].0)
      #expect(message.1 == sent[index].1)
    }
    let back = try #require(remoteChannel)
    try peers.answerer.connection.send([9, 9], isText: false, on: back, at: peers.now)
    var echoed: [UInt8]?
    peers.onEvent = { [unowned peers] peer, event in
      if peer === peers.offerer, case .message(_, let bytes, _) = event { echoed = bytes }
    }
    #expect(peers.run(for: .seconds(5)) { echoed == [9, 9] })
  }

  // RFC 8841 section 6.1. A runtime of the older line says nothing, and drops what is longer without a word.
  @Test func `messages end at 65 536 bytes where the peer declares no limit`() throws {
    var plain = PeerConnectionConfiguration()
    plain.chunkingMaxMessageSize = nil
    let peers = try TwoPeers(offererConfiguration: plain, answererConfiguration: plain)
    let channel = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    let offer = try peers.offerer.connection.createOffer(at: peers.now)
    let answer = try peers.answerer.connection.answer(offer, at: peers.now) { _, _ in nil }
    try peers.offerer.connection.setRemoteAnswer(
      answer.replacing("a=max-message-size:262144\r\n", with: ""), at: peers.now)
    #expect(peers.run(for: .seconds(5)) { peers.isConnected })
    peers.run(for: .seconds(1))
    #expect(peers.offerer.connection.maxMessageSize == 65_536)
    let longest = [UInt8](repeating: 1, count: 65_536)
    try peers.offerer.connection.send(longest, isText: false, on: channel, at: peers.now)
    #expect(throws: PeerConnectionError.messageTooLarge(size: 65_537, limit: 65_536)) {
      try peers.offerer.connection.send(longest + [1], isText: false, on: channel, at: peers.now)
    }
    peers.run(for: .seconds(1))
    let sizes = peers.answerer.events.compactMap {
      if case .message(_, let bytes, _) = $0 { bytes.count } else { nil }
    }
    #expect(sizes == [65_536])
  }

  @Test(arguments: 1...40)
  func `connects through heavy loss`(seed: UInt64) throws {
    let peers = try dataPeers(seed: seed, delay: 20, loss: 0.2)
    _ = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    try peers.negotiate()
    let opened = peers.run(for: .seconds(30)) {
      peers.answerer.events.contains { if case .channelOpened = $0 { true } else { false } }
    }
    #expect(opened, "seed \(seed)")
  }

  @Test func `closing tells the peer at once`() throws {
    let peers = try dataPeers()
    _ = try peers.offerer.connection.openChannel(label: "data", at: peers.now)
    try peers.negotiate()
    #expect(peers.run(for: .seconds(5)) { peers.isConnected })
    peers.offerer.connection.close(at: peers.now)
    #expect(peers.run(for: .seconds(1)) { peers.answerer.connection.state == .closed })
    #expect(peers.offerer.connection.state == .closed)
    #expect(peers.offerer.connection.nextTimeout() == nil)
  }
}
