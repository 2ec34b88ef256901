import ICE
import STUN
import TestSupport
import Testing
import WireFormat

struct ConsentTests {
  static func connected(seed: UInt64 = 1) -> TwoAgents {
    let peers = TwoAgents(seed: seed)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.run(for: .seconds(1)) { peers.areNominated }
    peers.run(for: .seconds(1))
    return peers
  }

  @Test func `consent is asked for each 4 to 6 s at random while data flows`() throws {
    let peer = ScriptedPeer()
    let agent = peer.connect(role: .controlling)
    peer.succeed(try #require(peer.requests.last))
    var gaps: [Double] = []
    var last = peer.now
    var known = peer.requests.count
    // Media comes in each 20 ms.
    for _ in 0..<5000 {
      peer.pass(.milliseconds(20)) { _ in true }
      peer.deliver([0x80, 0, 0, 1])
      if peer.requests.count > known {
        gaps.append((peer.now - last).inSeconds)
        last = peer.now
        known = peer.requests.count
      }
    }
    gaps.removeFirst()
    #expect(gaps.count > 15)
    #expect(gaps.allSatisfy { $0 > 3.9 && $0 < 6.1 })
    #expect(Set(gaps.map { Int($0 * 10) }).count > 5)
    #expect(agent.statistics().first?.consentRequestsSent == gaps.count + 1)
  }

  @Test func `silence of 5 s is disconnected, 30 s without an answer failed, and no data leaves then`() throws
  {
    let peer = ScriptedPeer()
    let agent = peer.connect(role: .controlling)
    peer.succeed(try #require(peer.requests.last))
    let start = peer.now
    var moments: [ICEConnectionState: Double] = [:]
    while peer.now < start + .seconds(35) {
      peer.pass(.milliseconds(100))
      if moments[agent.state] == nil { moments[agent.state] = (peer.now - start).inSeconds }
    }
    #expect(try #require(moments[.disconnected]) < 5.2)
    let failed = try #require(moments[.failed])
    #expect(failed > 29.9 && failed < 30.2)
    #expect(agent.route(PacketBuffer(copying: [1]), at: peer.now) == nil)
    let sent = peer.requests.count
    peer.pass(.seconds(60))
    #expect(peer.requests.count == sent)
    #expect(agent.nextTimeout() == nil)
  }

  @Test func `data that comes in keeps the pair connected, but is no consent`() throws {
    let peer = ScriptedPeer()
    let agent = peer.connect(role: .controlling)
    peer.succeed(try #require(peer.requests.last))
    for _ in 0..<280 {
      peer.pass(.milliseconds(100))
      peer.deliver([0x80, 0, 0, 1])
    }
    #expect(agent.state == .connected)
    for _ in 0..<30 {
      peer.pass(.milliseconds(100))
      peer.deliver([0x80, 0, 0, 1])
    }
    #expect(agent.state == .failed)
  }

  @Test(arguments: [2, 7, 12, 25])
  func `an outage is survived, told once each way, and not followed by another drop`(_ seconds: Int) {
    let peers = Self.connected()
    let (left, right) = (peers.left.bound[0].ip, peers.right.bound[0].ip)
    let known = peers.left.states.count
    peers.network.setDown(left, true)
    peers.network.setDown(right, true)
    peers.run(for: .seconds(Int64(seconds)))
    peers.network.setDown(left, false)
    peers.network.setDown(right, false)
    let back = peers.network.now
    #expect(peers.run(for: .seconds(3)) { peers.areConnected })
    #expect((peers.network.now - back).inSeconds <= 1.1)
    peers.run(for: .seconds(60))
    #expect(peers.carriesData())
    let states = Array(peers.left.states[known...])
    // Up to 2.5 s may have been silent already.
    if seconds == 2 { #expect(states.isEmpty) } else { #expect(states == [.disconnected, .completed]) }
  }

  @Test func `an outage of 40 s fails on both sides, and a restart connects again`() {
    let peers = Self.connected()
    let (left, right) = (peers.left.bound[0].ip, peers.right.bound[0].ip)
    peers.network.setDown(left, true)
    peers.network.setDown(right, true)
    peers.run(for: .seconds(40))
    #expect(peers.left.agent.state == .failed)
    #expect(peers.right.agent.state == .failed)
    peers.network.setDown(left, false)
    peers.network.setDown(right, false)
    peers.run(for: .seconds(5))
    peers.left.act { $0.restart(at: peers.network.now) }
    peers.right.act { $0.restart(at: peers.network.now) }
    peers.exchangeParameters()
    let start = peers.network.now
    #expect(peers.run(for: .seconds(2)) { peers.areNominated && peers.areConnected })
    #expect((peers.network.now - start).inMilliseconds <= 2.0)
    #expect(peers.carriesData())
  }

  @Test func `a peer that vanishes is noticed by both sides about 5 s after its last sign`() throws {
    for seed in UInt64(1)...20 {
      let peers = Self.connected(seed: seed)
      peers.run(for: .milliseconds(Int64(seed) * 337))
      let start = peers.network.now
      peers.network.setDown(peers.right.bound[0].ip, true)
      #expect(peers.run(for: .seconds(10)) { peers.left.agent.state == .disconnected })
      let elapsed = (peers.network.now - start).inSeconds
      #expect(elapsed > 2.4 && elapsed < 5.1, "seed \(seed): \(elapsed)")
    }
  }

  @Test func `an idle connection stays up for a virtual hour at little cost`() {
    let peers = Self.connected()
    let before = peers.network.sent
    peers.run(for: .seconds(3600))
    #expect(peers.left.agent.state == .completed)
    #expect(peers.left.states == [.checking, .connected, .completed])
    // One request and one answer in 2 s, for both sides together.
    #expect(peers.network.sent - before < 4000)
  }
}
