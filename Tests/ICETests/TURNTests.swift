import ICE
import STUN
import TestSupport
import Testing
import WireFormat

struct TURNTests {
  /// Left is bound to its relay; right is open.
  private func relayed(
    _ uris: [String] = ["turn:198.51.100.1"], prepare: (SimulatedServer) -> Void = { _ in }
  ) throws -> (TwoAgents, SimulatedServer) {
    let peers = TwoAgents(left: try GatheringTests.configuration(uris, policy: .relay))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    prepare(server)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    return (peers, server)
  }

  @Test func `allocating takes two round trips, and a relayed path carries data after two more`() throws {
    let (peers, server) = try relayed()
    #expect(peers.run(for: .seconds(1)) { peers.left.candidates.contains { $0.kind == .relayed } })
    #expect((peers.network.now - .origin).inMilliseconds <= 2.0)
    // Left to right is two links of half a millisecond each way: a round trip of 2 ms.
    let start = peers.network.now
    #expect(peers.run(for: .seconds(1)) { peers.areConnected })
    #expect((peers.network.now - start).inMilliseconds <= 3.0)
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect(peers.carriesData())
    #expect(server.requests[.createPermission] == 1)
  }

  @Test func `the selected pair moves from indications to a channel`() throws {
    let (peers, server) = try relayed()
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    peers.run(for: .milliseconds(10))
    let indications = server.indications
    for _ in 0..<20 { peers.left.send([0x80, 1, 2, 3, 4]) }
    peers.run(for: .milliseconds(10))
    #expect(server.channelPackets >= 20)
    #expect(server.indications == indications)
    #expect(peers.right.received.count == 20)
    #expect(peers.right.received.allSatisfy { $0 == [0x80, 1, 2, 3, 4] })
  }

  @Test func `a server whose nonces are good for one request keeps an allocation for a virtual hour`() throws
  {
    let (peers, server) = try relayed { $0.expiresNonces = true }
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    for _ in 0..<60 {
      peers.run(for: .seconds(60))
      #expect(peers.carriesData())
    }
    #expect(server.staleNonces > 20)
    #expect(server.requests[.allocate] == 2)
    #expect(!peers.left.states.contains(.disconnected))
    #expect(peers.left.notes.isEmpty)
  }

  @Test func `short lifetimes are refreshed in time`() throws {
    let (peers, server) = try relayed { $0.maximumLifetime = 10 }
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    peers.run(for: .seconds(600))
    #expect(peers.carriesData())
    #expect(server.requests[.refresh, default: 0] >= 100)
    #expect(server.requests[.allocate] == 2)
  }

  @Test func `permissions and channels are refreshed before they end`() throws {
    let (peers, server) = try relayed()
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    peers.run(for: .seconds(1800))
    #expect(peers.carriesData())
    #expect(server.requests[.createPermission, default: 0] >= 7)
    #expect(server.requests[.channelBind, default: 0] >= 3)
    #expect(!peers.left.states.contains(.disconnected))
  }

  @Test func `close gives the allocation back`() throws {
    let (peers, server) = try relayed()
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    #expect(server.liveAllocations == 1)
    peers.left.act { $0.close(at: peers.network.now) }
    peers.run(for: .milliseconds(10))
    #expect(server.liveAllocations == 0)
  }

  @Test(arguments: [300, 437, 438, 440, 401])
  func `an allocation gets past one refusal of each curable kind`(_ code: Int) throws {
    let (peers, server) = try relayed {
      if code == 300 {
        $0.alternate = SocketAddress("198.51.100.2", port: 3478)
      } else if code == 401 || code == 438 {
        $0.expiresNonces = true
      } else {
        $0.scriptedErrors = [(.allocate, STUNErrorCode(code, "Scripted"))]
      }
    }
    let other = SimulatedServer("198.51.100.2", network: peers.network)
    #expect(peers.run(for: .seconds(3)) { peers.areNominated })
    #expect(peers.carriesData())
    #expect(other.liveAllocations == (code == 300 ? 1 : 0))
    #expect(server.liveAllocations == (code == 300 ? 0 : 1))
  }

  @Test(arguments: [403, 441, 442, 486, 508])
  func `an allocation that is refused for good is told, without credentials`(_ code: Int) throws {
    let (peers, server) = try relayed {
      $0.scriptedErrors = [(.allocate, STUNErrorCode(code, "Scripted"))]
    }
    peers.run(for: .seconds(2))
    #expect(peers.left.notes == ["turn:198.51.100.1:3478?transport=udp refuses: \(code) Scripted"])
    #expect(peers.left.agent.gatheringState == .complete)
    #expect(server.liveAllocations == 0)
    #expect(!peers.left.notes[0].contains("secret"))
  }

  @Test func `wrong credentials are tried once`() throws {
    let uri = try ICEServerURI("turn:198.51.100.1")
    let peers = TwoAgents(
      left: ICEConfiguration(
        role: .controlling, servers: [ICEServer(uris: [uri], username: "user", password: "wrong")]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.left.act { $0.gather(at: peers.network.now) }
    peers.run(for: .seconds(60))
    #expect(server.requests[.allocate] == 2)
    #expect(peers.left.notes.count == 1)
    #expect(peers.left.agent.gatheringState == .complete)
  }

  @Test(arguments: [STUNMethod.refresh, .createPermission, .channelBind])
  func `437 to a later request means allocating anew, and the connection comes back`(
    _ method: STUNMethod
  ) throws {
    let (peers, server) = try relayed { $0.maximumLifetime = 20 }
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    peers.run(for: .seconds(1))
    server.forgetAllocations()
    server.scriptedErrors = [(method, STUNErrorCode(437, "Mismatch"))]
    #expect(peers.run(for: .seconds(300)) { server.liveAllocations == 1 })
    #expect(peers.run(for: .seconds(5)) { peers.areConnected && peers.left.agent.selectedPair != nil })
    peers.run(for: .seconds(2))
    #expect(peers.carriesData())
  }

  @Test func `a server that forgets the allocation is noticed by silence, not at the next refresh`() throws {
    let (peers, server) = try relayed()
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    peers.run(for: .seconds(10))
    server.forgetAllocations()
    #expect(peers.run(for: .seconds(6)) { server.liveAllocations == 1 })
    #expect(peers.run(for: .seconds(1)) { peers.areConnected && peers.left.agent.selectedPair != nil })
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
  }

  @Test func `a NAT that forgets after 60 s is kept awake while the relay idles for 5 minutes`() throws {
    let peers = TwoAgents(left: try GatheringTests.configuration(["turn:198.51.100.1"], policy: .relay))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    let external = try #require(IPAddress("203.0.113.1"))
    let nat = NAT(externalIP: external, kind: .symmetric, lifetime: .seconds(60))
    peers.left.addAddress("10.0.0.2", behind: nat, conditions: ConnectTests.clean)
    peers.left.act { $0.gather(at: peers.network.now) }
    // Nobody is there yet: nothing but keep-alives goes to the server.
    peers.run(for: .seconds(300))
    #expect(server.keepAlives >= 15)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.exchangeParameters()
    peers.right.act { $0.gather(at: peers.network.now) }
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    peers.run(for: .seconds(300))
    #expect(peers.carriesData())
    #expect(server.requests[.allocate] == 2)
    // A power cut at the NAT gives another mapping: 437, a new allocation, and the peers find together.
    nat.reboot()
    #expect(peers.run(for: .seconds(8)) { server.requests[.allocate, default: 0] > 2 })
    #expect(peers.run(for: .seconds(3)) { peers.areConnected && peers.left.agent.selectedPair != nil })
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
  }

  @Test func `a peer that the server does not relay to is told once`() throws {
    let (peers, server) = try relayed()
    server.forbidden = [try #require(IPAddress("192.0.2.2"))]
    peers.run(for: .seconds(10))
    #expect(!peers.left.isConnected)
    #expect(peers.left.notes.count { $0.contains("does not relay to 192.0.2.2") } == 1)
    #expect(server.requests[.createPermission] == 1)
  }

  @Test func `a lost permission request costs one retransmission, not a check's timeout on top`() throws {
    let (peers, server) = try relayed { $0.expiresNonces = true }
    // The nonce is stale by then: CreatePermission is answered with 438 first, and the check behind it is
    // dropped by the server. It is repeated as soon as the permission stands.
    #expect(peers.run(for: .seconds(1)) { peers.areConnected })
    #expect((peers.network.now - .origin).inMilliseconds < 20)
    #expect(server.staleNonces > 0)
  }

  @Test func `a stream that arrives in crumbs carries a relay`() throws {
    let (peers, server) = try relayed(["turn:198.51.100.1?transport=tcp"])
    let framer = StreamPair(peers: peers, server: server)
    peers.left.openStream = framer.open
    peers.left.streamWrite = framer.write
    // The first attempt failed: nobody was there to open the stream.
    #expect(peers.run(for: .seconds(5)) { peers.areNominated })
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
    #expect(peers.left.agent.selectedPair?.isRelayed == true)
    #expect(server.channelPackets > 0)
    peers.left.act { $0.close(at: peers.network.now) }
    peers.run(for: .seconds(1))
    #expect(server.liveAllocations == 0)
    #expect(peers.left.events.contains { if case .closeStream = $0.event { true } else { false } })
  }

  @Test func `streams are left alone while UDP works, and opened when it does not`() throws {
    let uris = ["turn:198.51.100.1", "turn:198.51.100.1?transport=tcp", "turns:198.51.100.1"]
    let (fine, _) = try relayed(uris)
    fine.run(for: .seconds(10))
    #expect(!fine.left.events.contains { if case .openStream = $0.event { true } else { false } })
    let (blocked, _) = try relayed(uris) { $0.isDead = true }
    blocked.run(for: .milliseconds(310))
    let opened = blocked.left.events.compactMap {
      if case .openStream(_, let to, let name) = $0.event { "\(to) \(name ?? "-")" } else { nil }
    }
    #expect(opened == ["198.51.100.1:3478 -", "198.51.100.1:5349 198.51.100.1"])
  }
}
