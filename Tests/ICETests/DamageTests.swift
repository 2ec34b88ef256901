import ICE
import STUN
import TestSupport
import Testing
import WireFormat

/// Whatever comes in, the agent neither traps nor grows.
struct DamageTests {
  @Test func `mutated and foreign datagrams leave a running connection alone`() throws {
    var random = RandomSource(seed: 11)
    let peers = TwoAgents(left: try GatheringTests.configuration(["stun:198.51.100.1", "turn:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    var seen: [(payload: [UInt8], source: SocketAddress)] = []
    let local = peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.network.tap = { datagram, _ in
      if datagram.destination == local { seen.append((datagram.payload, datagram.source)) }
    }
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.run(for: .seconds(1))
    #expect(server.liveAllocations == 1)
    #expect(seen.count > 4)
    for round in 0..<10_000 {
      var (payload, source) = seen[round % seen.count]
      for _ in 0..<(1 + random.next() % 3) {
        payload[Int(random.next() % UInt64(payload.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { payload.removeLast(Int(random.next() % UInt64(payload.count))) }
      if random.next() % 8 == 0 { source.port = random.uint16() }
      peers.left.act { _ = $0.handle(payload.rawSpan, from: source, to: local, at: peers.network.now) }
    }
    #expect(peers.left.agent.statistics().count <= 200)
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
    // Replays from new ports may have left checks that nobody answers: connected, if not completed.
    #expect(peers.left.isConnected)
  }

  @Test func `a flood of authenticated checks from ever new ports stays within the limits`() {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    for port in UInt16(1000)..<3000 {
      peer.deliver(peer.check(), from: SocketAddress(ip: peer.remote.ip, port: port))
    }
    #expect(peer.agent.statistics().count <= 100)
    #expect(peer.requests.count <= 102)
  }

  @Test func `a driver that fetches nothing costs a bounded queue`() {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    for _ in 0..<2000 {
      let check = peer.check()
      _ = peer.agent.handle(check.rawSpan, from: peer.remote, to: peer.local, at: peer.now)
    }
    var count = 0
    while peer.agent.nextTransmit() != nil { count += 1 }
    #expect(count == 512)
  }
}
