import SCTP
import Testing
import TestSupport
import WireFormat

/// What a user of the channels notices: latency beside bulk, partial reliability, recorded peers.
struct ServiceTests {
  @Test(arguments: [true, false])
  func `a small message passes a 64 MiB one on a slow link`(interleaving: Bool) throws {
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.delayMilliseconds = 25
    conditions.bitsPerSecond = 10e6
    conditions.queueBytes = 64 * 1024
    var configuration = SCTPConfiguration()
    configuration.offersInterleaving = interleaving
    configuration.localMaxMessageSize = 64 * 1024 * 1024
    let peers = TwoTransports(conditions, a: configuration, b: configuration)
    peers.keepsEvents = false
    var arrivals: [Instant] = []
    let bulk = try peers.a.open(label: "data", at: peers.now)
    let small = try peers.a.open(label: "control", at: peers.now)
    peers.onEvent = { peers, isA, event in
      if !isA, case .message(_, let bytes, _) = event, bytes.count == 50 { arrivals.append(peers.now) }
    }
    peers.start(limitOfB: 0)
    peers.run(for: .seconds(Int64(1)))
    let message = [UInt8](repeating: 1, count: 64 * 1024 * 1024)
    if interleaving {
      try peers.a.send(message, isText: false, on: bulk, at: peers.now)
    } else {
      // Without I-DATA a message cannot be interrupted; the platform's chunking cuts it instead.
      let chunker = MessageChunker(maximumMessageSize: message.count, remoteMaxMessageSize: 16_384)
      var fragments = try chunker.fragments(of: message, isText: false)
      while let fragment = fragments.next() {
        try peers.a.send(fragment, isText: false, on: bulk, at: peers.now)
      }
    }
    peers.run(for: .seconds(Int64(3)))
    var worst = Interval.zero
    for _ in 0..<40 {
      arrivals = []
      let sentAt = peers.now
      try peers.a.send(pattern(50), isText: false, on: small, at: peers.now)
      try #require(peers.run(until: .seconds(Int64(5))) { _ in !arrivals.isEmpty })
      worst = max(worst, arrivals[0] - sentAt)
      peers.run(for: .milliseconds(Int64(73)))
    }
    #expect(peers.a.bufferedAmount(of: bulk) > 0)
    #expect(worst <= .milliseconds(Int64(120)), "\(worst.inMilliseconds) ms")
  }

  @Test func `an unreliable channel keeps its window through ten minutes of loss`() throws {
    var conditions = LinkEmulator<[UInt8]>.Conditions()
    conditions.loss = 0.06
    conditions.delayMilliseconds = 30
    for interleaving in [true, false] {
      var configuration = SCTPConfiguration()
      configuration.offersInterleaving = interleaving
      let peers = TwoTransports(conditions, seed: interleaving ? 1 : 2, a: configuration, b: configuration)
      var options = DataChannelOptions()
      options.isOrdered = false
      options.reliability = .maxRetransmits(0)
      let id = try peers.a.open(label: "x", options: options, at: peers.now)
      peers.start()
      try #require(peers.run { $0.opened(byA: false, label: "x") != nil })
      let count = 30_000
      let message = pattern(2500)
      peers.keepsEvents = false
      var got = 0
      peers.onEvent = { _, isA, event in
        if !isA, case .message = event { got += 1 }
      }
      for _ in 0..<count {
        try peers.a.send(message, isText: false, on: id, at: peers.now)
        peers.run(for: .milliseconds(Int64(20)))
      }
      peers.run(for: .seconds(Int64(5)))
      // Three packets a message at 6 %: 83 % arrive whole.
      #expect(got > count * 7 / 10 && got < count, "\(got)")
      #expect(peers.a.bufferedAmount(of: id) == 0)
      #expect(peers.a.statistics.messagesAbandoned > 0)
      #expect(peers.a.statistics.bytesInFlight == 0)
      #expect(peers.a.statistics.peerReceiveWindow > 4_000_000)
    }
  }

  @Test func `ordered messages with a lifetime skip what is late and go on in order`() throws {
    for seed in UInt64(1)...10 {
      var conditions = LinkEmulator<[UInt8]>.Conditions()
      conditions.loss = 0.2
      conditions.delayMilliseconds = 30
      conditions.bitsPerSecond = 20e6
      var configuration = SCTPConfiguration()
      configuration.offersInterleaving = seed % 2 == 0
      let peers = TwoTransports(conditions, seed: seed, a: configuration, b: configuration)
      var options = DataChannelOptions()
      options.reliability = .maxPacketLifetime(milliseconds: 200)
      let id = try peers.a.open(label: "x", options: options, at: peers.now)
      peers.start()
      try #require(peers.run { $0.opened(byA: false, label: "x") != nil }, "seed \(seed)")
      for number in 0..<500 {
        try peers.a.send(
          [UInt8(number >> 8), UInt8(number & 255)] + pattern(3000), isText: false, on: id, at: peers.now)
        peers.run(for: .milliseconds(Int64(10)))
      }
      peers.run(for: .seconds(Int64(10)))
      let numbers = peers.messages(toA: false).map { Int($0.bytes[0]) << 8 | Int($0.bytes[1]) }
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "seed \(seed)")
      #expect(numbers.count > 150, "seed \(seed): \(numbers.count)")
      // Nothing is stuck: what is sent now arrives.
      peers.filter = nil
      peers.aToB.conditions.loss = 0
      peers.bToA.conditions.loss = 0
      try peers.a.send([255, 255], isText: false, on: id, at: peers.now)
      peers.run(for: .seconds(Int64(10)))
      #expect(peers.messages(toA: false).last?.bytes == [255, 255], "seed \(seed)")
      #expect(peers.a.statistics.bytesInFlight == 0, "seed \(seed)")
    }
  }

  @Test(arguments: ["default", "plain-vp8"])
  func `the recorded client is understood`(recording: String) throws {
    let packets = try PacketCapture.read("Packets/reactor/relay/\(recording)/00.clear.pcap")
      .filter { $0.sourcePort == 9899 }
    #expect(packets.count > 20)
    for recorded in packets {
      let zeroed = Array(recorded.payload[0..<8]) + [0, 0, 0, 0] + recorded.payload[12...]
      var expected = ByteWriter()
      expected.write(CRC32C.checksum(zeroed.rawSpan).byteSwapped)
      #expect(Array(recorded.payload[8..<12]) == expected.bytes)
    }
    let fromClient = packets.filter { $0.source == "198.51.100.1" }
    let first = try #require(fromClient.flatMap { chunks($0.payload) }.first { $0[0] == 0 })
    // The recorded runtime's tag is not ours, nor are the TSNs that the client acknowledges: only its data.
    var initiation = ScriptedPeer.initiation()
    initiation.replaceSubrange(16..<20, with: first[4..<8])
    let peer = ScriptedPeer(remoteInit: initiation, isDTLSClient: true)
    for recorded in fromClient {
      for piece in chunks(recorded.payload) where piece[0] == 0 {
        peer.receive(piece + [UInt8](repeating: 0, count: (4 - piece.count % 4) % 4))
      }
    }
    let labels = peer.events.compactMap { event -> String? in
      if case .channelOpened(let channel) = event { "\(channel.label) \(channel.streamID)" } else { nil }
    }
    #expect(labels.sorted() == ["control 3", "data 1"] || labels.sorted() == ["control 1", "data 3"])
    #expect(peer.messages.count > 3)
    #expect(peer.end == nil)
    guard recording == "default" else { return }
    // Chunking was negotiated: each message has its header byte, and all come out whole.
    var reassembler = MessageReassembler()
    for message in peer.messages { _ = try reassembler.accept(message) }
  }
}
