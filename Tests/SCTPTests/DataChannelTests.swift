import SCTP
import Testing
import TestSupport
import WireFormat

struct DataChannelTests {
  private func pair(
    _ options: DataChannelOptions = .init(), snap: Bool = false
  ) throws -> (
    TwoTransports, DataChannelID, DataChannelID
  ) {
    let peers = TwoTransports()
    let id = try peers.a.open(label: "data", options: options, at: peers.now)
    peers.start(snap: snap)
    peers.run(for: .milliseconds(Int64(100)))
    let remote = try #require(peers.opened(byA: false, label: "data"))
    return (peers, id, remote.id)
  }

  @Test(arguments: [false, true])
  func `a channel opened before the start opens on both sides`(snap: Bool) throws {
    var options = DataChannelOptions()
    options.isOrdered = false
    options.reliability = .maxRetransmits(3)
    options.protocol = "proto"
    options.priority = .high
    let (peers, id, _) = try pair(options, snap: snap)
    let local = try #require(peers.opened(byA: true, label: "data"))
    let remote = try #require(peers.opened(byA: false, label: "data"))
    #expect(local.id == id && !local.isRemote && local.streamID == 0)
    #expect(remote.isRemote && remote.streamID == 0 && remote.options == options)
  }

  @Test func `with both INITs known no handshake is sent`() throws {
    let peers = TwoTransports()
    var seen: Set<UInt8> = []
    peers.filter = { _, packet in
      seen.formUnion(chunkTypes(packet))
      return true
    }
    _ = try peers.a.open(label: "data", at: peers.now)
    peers.start(snap: true)
    #expect(peers.opened(byA: true, label: "data") != nil)
    peers.run(for: .seconds(Int64(1)))
    #expect(peers.opened(byA: false, label: "data") != nil)
    #expect(seen.isDisjoint(with: [1, 2, 10, 11]))
  }

  @Test func `stream identifiers are even for the DTLS client and odd for the server`() throws {
    let peers = TwoTransports()
    peers.start()
    peers.run(for: .seconds(Int64(1)))
    let first = try peers.a.open(label: "a1", at: peers.now)
    let second = try peers.a.open(label: "a2", at: peers.now)
    let other = try peers.b.open(label: "b1", at: peers.now)
    #expect(peers.a.streamID(of: first) == 0)
    #expect(peers.a.streamID(of: second) == 2)
    #expect(peers.b.streamID(of: other) == 1)
    peers.run(for: .seconds(Int64(1)))
    #expect(peers.opened(byA: true, label: "b1")?.streamID == 1)
  }

  @Test func `text, binary and empty messages arrive as what they are`() throws {
    let (peers, id, remote) = try pair()
    try peers.a.send(Array("hello".utf8), isText: true, on: id, at: peers.now)
    try peers.a.send([1, 2, 3], isText: false, on: id, at: peers.now)
    try peers.a.send([], isText: true, on: id, at: peers.now)
    try peers.a.send([], isText: false, on: id, at: peers.now)
    try peers.b.send([9], isText: false, on: remote, at: peers.now)
    peers.run(for: .seconds(Int64(1)))
    let got = peers.messages(toA: false)
    #expect(got.map(\.bytes) == [Array("hello".utf8), [1, 2, 3], [], []])
    #expect(got.map(\.isText) == [true, false, true, false])
    #expect(peers.messages(toA: true).map(\.bytes) == [[9]])
  }

  @Test(arguments: [1, 1151, 1152, 1153, 65_535, 65_536, 262_144])
  func `messages of all sizes arrive whole`(size: Int) throws {
    let (peers, id, _) = try pair()
    let bytes = pattern(size)
    try peers.a.send(bytes, isText: false, on: id, at: peers.now)
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.messages(toA: false).map(\.bytes) == [bytes])
  }

  @Test func `messages over the peer's limit are refused with both sizes before anything is sent`() throws {
    func transport(_ limit: UInt64?) throws -> (DataChannelTransport, DataChannelID) {
      let peers = TwoTransports()
      let id = try peers.a.open(label: "x", at: peers.now)
      peers.start(limitOfB: limit)
      peers.run(for: .seconds(Int64(1)))
      return (peers.a, id)
    }
    let now = Instant.origin + .seconds(Int64(5))
    let (limited, id) = try transport(262_144)
    for size in [65_535, 65_536, 262_144] {
      try limited.send(pattern(size), isText: false, on: id, at: now)
    }
    let before = limited.bufferedAmount(of: id)
    #expect(throws: DataChannelError.messageTooLarge(size: 262_145, limit: 262_144)) {
      try limited.send(pattern(262_145), isText: false, on: id, at: now)
    }
    #expect(limited.bufferedAmount(of: id) == before)
    let (unsaid, other) = try transport(nil)
    try unsaid.send(pattern(65_536), isText: false, on: other, at: now)
    #expect(throws: DataChannelError.messageTooLarge(size: 65_537, limit: 65_536)) {
      try unsaid.send(pattern(65_537), isText: false, on: other, at: now)
    }
    let (unlimited, third) = try transport(0)
    try unlimited.send(pattern(262_145), isText: false, on: third, at: now)
  }

  @Test func `closing delivers what was queued and tells both sides`() throws {
    let (peers, id, _) = try pair()
    let bytes = pattern(200_000)
    try peers.a.send(bytes, isText: false, on: id, at: peers.now)
    peers.a.close(channel: id, at: peers.now)
    #expect(throws: DataChannelError.channelClosed) {
      try peers.a.send([1], isText: false, on: id, at: peers.now)
    }
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.messages(toA: false).map(\.bytes) == [bytes])
    #expect(peers.closed(toA: true) == [.closedLocally])
    #expect(peers.closed(toA: false) == [.closedByPeer])
  }

  @Test func `a close by the other side loses nothing that was queued here`() throws {
    let (peers, id, remote) = try pair()
    let bytes = pattern(250_000)
    try peers.a.send(bytes, isText: false, on: id, at: peers.now)
    peers.b.close(channel: remote, at: peers.now)
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.messages(toA: false).map(\.bytes) == [bytes])
    #expect(peers.closed(toA: true) == [.closedByPeer])
    #expect(peers.closed(toA: false) == [.closedLocally])
  }

  @Test func `an identifier is used anew after the close, many times`() throws {
    let peers = TwoTransports()
    peers.start()
    peers.run(for: .seconds(Int64(1)))
    for round in 0..<20 {
      let id = try peers.a.open(label: "round \(round)", at: peers.now)
      #expect(peers.a.streamID(of: id) == 0)
      try peers.a.send([UInt8(round)], isText: false, on: id, at: peers.now)
      peers.run(for: .milliseconds(Int64(50)))
      peers.a.close(channel: id, at: peers.now)
      peers.run(for: .milliseconds(Int64(500)))
    }
    #expect(peers.messages(toA: false).map(\.bytes) == (0..<20).map { [UInt8($0)] })
    #expect(peers.closed(toA: true).count == 20)
    #expect(peers.closed(toA: false).count == 20)
  }

  @Test func `closing works under loss`() throws {
    for seed in UInt64(1)...20 {
      var conditions = LinkEmulator<[UInt8]>.Conditions()
      conditions.loss = 0.2
      conditions.delayMilliseconds = 20
      let peers = TwoTransports(conditions, seed: seed)
      let id = try peers.a.open(label: "x", at: peers.now)
      peers.start()
      try #require(peers.run { $0.opened(byA: false, label: "x") != nil }, "seed \(seed)")
      try peers.a.send(pattern(100_000), isText: false, on: id, at: peers.now)
      peers.a.close(channel: id, at: peers.now)
      #expect(
        peers.run { !$0.closed(toA: true).isEmpty && !$0.closed(toA: false).isEmpty }, "seed \(seed)")
      #expect(peers.messages(toA: false).map(\.bytes.count) == [100_000], "seed \(seed)")
    }
  }

  @Test func `negotiated channels say nothing in-band`() throws {
    let peers = TwoTransports()
    var options = DataChannelOptions()
    options.negotiatedID = 7
    let ours = try peers.a.open(label: "n", options: options, at: peers.now)
    let theirs = try peers.b.open(label: "n", options: options, at: peers.now)
    peers.start()
    peers.run(for: .seconds(Int64(1)))
    #expect(throws: DataChannelError.streamInUse(7)) {
      _ = try peers.a.open(label: "again", options: options, at: peers.now)
    }
    try peers.a.send([1], isText: false, on: ours, at: peers.now)
    try peers.b.send([2], isText: false, on: theirs, at: peers.now)
    peers.run(for: .seconds(Int64(1)))
    #expect(peers.messages(toA: false).map(\.bytes) == [[1]])
    #expect(peers.messages(toA: true).map(\.bytes) == [[2]])
    #expect(peers.opened(byA: false, label: "n")?.isRemote == false)
  }

  @Test func `the buffered amount falls to the low-water mark once and says so`() throws {
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.delayMilliseconds = 10
    let peers = TwoTransports(conditions)
    let id = try peers.a.open(label: "x", at: peers.now)
    peers.start()
    peers.run(for: .seconds(Int64(1)))
    peers.a.setLowWaterMark(100_000, of: id)
    for _ in 0..<4 { try peers.a.send(pattern(100_000), isText: false, on: id, at: peers.now) }
    #expect(peers.a.bufferedAmount(of: id) == 400_000)
    peers.run(for: .seconds(Int64(5)))
    #expect(peers.a.bufferedAmount(of: id) == 0)
    let low = peers.aEvents.filter { if case .bufferedAmountLow = $0 { true } else { false } }
    #expect(low.count == 1)
  }

  @Test func `a full send buffer refuses`() throws {
    var configuration = SCTPConfiguration()
    configuration.sendBufferSize = 10_000
    let peers = TwoTransports(a: configuration)
    let id = try peers.a.open(label: "x", at: peers.now)
    peers.start()
    peers.filter = { fromA, packet in !fromA || !chunkTypes(packet).contains(64) }
    peers.run(for: .seconds(Int64(1)))
    #expect(throws: DataChannelError.sendBufferFull(limit: 10_000)) {
      for _ in 0..<100 { try peers.a.send(pattern(1000), isText: false, on: id, at: peers.now) }
    }
  }

  @Test func `a message over our own limit closes its channel only`() throws {
    var configuration = SCTPConfiguration()
    configuration.localMaxMessageSize = 1000
    let peers = TwoTransports(b: configuration)
    let id = try peers.a.open(label: "x", at: peers.now)
    let other = try peers.a.open(label: "y", at: peers.now)
    peers.start(limitOfB: 0)
    peers.run(for: .seconds(Int64(1)))
    try peers.a.send(pattern(1001), isText: false, on: id, at: peers.now)
    try peers.a.send(pattern(100_000), isText: false, on: id, at: peers.now)
    try peers.a.send(pattern(1000), isText: false, on: other, at: peers.now)
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.messages(toA: false).map(\.bytes.count) == [1000])
    #expect(peers.closed(toA: false) == [.messageTooLarge(limit: 1000)])
    #expect(peers.closed(toA: true) == [.closedByPeer])
  }

  @Test func `shutdown delivers everything and closes both sides`() throws {
    let (peers, id, _) = try pair()
    try peers.a.send(pattern(250_000), isText: false, on: id, at: peers.now)
    peers.a.shutdown(at: peers.now)
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.messages(toA: false).map(\.bytes.count) == [250_000])
    #expect(peers.ended(toA: true) == .shutdown)
    #expect(peers.ended(toA: false) == .shutdown)
    #expect(peers.closed(toA: true) == [.transportClosed])
    #expect(peers.a.nextTimeout() == nil)
  }

  @Test func `both sides may shut down at once`() throws {
    let (peers, _, _) = try pair()
    peers.a.shutdown(at: peers.now)
    peers.b.shutdown(at: peers.now)
    peers.run(for: .seconds(Int64(2)))
    #expect(peers.ended(toA: true) == .shutdown)
    #expect(peers.ended(toA: false) == .shutdown)
  }

  @Test func `abort reaches the other side with its reason`() throws {
    let (peers, _, _) = try pair()
    peers.a.abort(reason: "enough", at: peers.now)
    peers.run(for: .seconds(Int64(1)))
    #expect(peers.ended(toA: true) == .abortedLocally(detail: "enough"))
    #expect(peers.ended(toA: false) == .abortedByPeer(cause: 12, detail: "enough"))
    #expect(throws: DataChannelError.transportClosed) { _ = try peers.b.open(label: "late", at: peers.now) }
  }

  @Test func `a silent peer is found out`() throws {
    let (peers, id, _) = try pair()
    peers.filter = { _, _ in false }
    try peers.a.send([1], isText: false, on: id, at: peers.now)
    peers.run(for: .seconds(Int64(120)))
    #expect(peers.ended(toA: true) == .peerUnreachable)
    // The idle side finds out by its heartbeats.
    peers.run(for: .seconds(Int64(1200)))
    #expect(peers.ended(toA: false) == .peerUnreachable)
  }

  @Test(arguments: [2, 7, 12, 40])
  func `data flows again soon after an outage`(seconds: Int) throws {
    let (peers, id, _) = try pair()
    peers.filter = { _, _ in false }
    try peers.a.send([1], isText: false, on: id, at: peers.now)
    peers.run(for: .seconds(Int64(seconds)))
    peers.filter = nil
    let back = peers.now
    #expect(peers.run { !$0.messages(toA: false).isEmpty })
    #expect(peers.now - back <= .seconds(4.1))
  }

  @Test func `a handshake without an answer gives up`() {
    let peers = TwoTransports()
    peers.filter = { _, _ in false }
    peers.start()
    peers.run(for: .seconds(Int64(120)))
    #expect(peers.ended(toA: true) == .handshakeTimedOut)
  }
}
