import ICE
import STUN
import TestSupport
import Testing
import WireFormat

struct GatheringTests {
  static func configuration(
    _ uris: [String], role: ICERole = .controlling, policy: ICETransportPolicy = .all
  ) throws -> ICEConfiguration {
    let parsed = try uris.map { try ICEServerURI($0) }
    return ICEConfiguration(
      role: role, servers: [ICEServer(uris: parsed, username: "user", password: "secret")], policy: policy)
  }

  @Test func `host candidates are told before any timer, whatever servers do`() throws {
    let peers = TwoAgents(left: try Self.configuration(["stun:198.51.100.1", "turn:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    server.isDead = true
    for number in 1...3 { peers.left.addAddress("192.0.2.\(number)") }
    peers.left.act { $0.gather(at: peers.network.now) }
    #expect(peers.network.now == .origin)
    #expect(peers.left.candidates.map(\.kind) == [.host, .host, .host])
  }

  @Test func `a server that answers one of three interfaces gives its candidate at once`() throws {
    let peers = TwoAgents(left: try Self.configuration(["stun:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    var dead = ConnectTests.clean
    dead.loss = 1
    let external = try #require(IPAddress("203.0.113.1"))
    peers.left.addAddress("10.0.0.1", conditions: dead)
    peers.left.addAddress(
      "10.0.1.1", behind: NAT(externalIP: external, kind: .fullCone), conditions: ConnectTests.clean)
    peers.left.addAddress("10.0.2.1", conditions: dead)
    peers.left.act { $0.gather(at: peers.network.now) }
    #expect(
      peers.run(for: .seconds(1)) { peers.left.candidates.contains { $0.kind == .serverReflexive } })
    // Paced 5 ms behind the first interface, then one round trip.
    #expect((peers.network.now - .origin).inMilliseconds <= 6.0)
    #expect(server.requests[.binding] == 1)
    let candidate = try #require(peers.left.candidates.last)
    #expect(candidate.address == external)
    #expect(candidate.relatedAddress?.ip.description == "10.0.1.1")
    #expect(candidate.priority >> 24 == 100)
    #expect(peers.left.agent.gatheringState == .gathering)
    #expect(peers.run(for: .seconds(6)) { peers.left.agent.gatheringState == .complete })
    #expect((peers.network.now - .origin).inSeconds == 5.0)
  }

  @Test func `dead servers cost a direct connection nothing`() throws {
    let uris = [
      "stun:198.51.100.1", "turn:198.51.100.1", "turn:198.51.100.1?transport=tcp", "stun:dead.example",
    ]
    let peers = TwoAgents(
      left: try Self.configuration(uris), right: try Self.configuration(uris, role: .controlled))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    server.isDead = true
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect((peers.network.now - .origin).inMilliseconds <= 2.0)
    peers.run(for: .seconds(60))
    #expect(peers.left.notes.contains { $0.contains("stun:198.51.100.1:3478 does not answer") })
    #expect(peers.left.notes.contains { $0.contains("turn:198.51.100.1:3478?transport=udp does not answer") })
    #expect(peers.left.agent.state == .connected || peers.left.agent.state == .completed)
  }

  @Test func `gathering completes at once without servers, and after one round trip with a good one`() throws
  {
    let bare = TwoAgents()
    bare.left.addAddress("192.0.2.1")
    bare.left.act { $0.gather(at: bare.network.now) }
    #expect(bare.left.events.last?.event == .gatheringComplete)
    let peers = TwoAgents(left: try Self.configuration(["stun:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.left.act { $0.gather(at: peers.network.now) }
    #expect(peers.run(for: .seconds(1)) { peers.left.agent.gatheringState == .complete })
    #expect((peers.network.now - .origin).inMilliseconds <= 1.0)
    // Without a NAT the reflexive address is the host's: no candidate of its own.
    #expect(peers.left.candidates.count == 1)
    #expect(server.requests[.binding] == 1)
  }

  @Test func `server names are resolved, and one that does not resolve is told`() throws {
    let peers = TwoAgents(left: try Self.configuration(["stun:good.example", "stun:bad.example"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    let external = try #require(IPAddress("203.0.113.1"))
    peers.left.addAddress(
      "10.0.1.1", behind: NAT(externalIP: external, kind: .fullCone), conditions: ConnectTests.clean)
    peers.left.act { $0.gather(at: peers.network.now) }
    for (event, _) in peers.left.events {
      guard case .resolve(let name, let id) = event else { continue }
      peers.left.act {
        $0.resolved(id, addresses: name == "good.example" ? [server.address.ip] : [], at: peers.network.now)
      }
    }
    peers.run(for: .milliseconds(10))
    #expect(peers.left.candidates.contains { $0.kind == .serverReflexive })
    #expect(peers.left.agent.gatheringState == .complete)
    #expect(peers.left.notes == ["stun:bad.example:3478: the name does not resolve"])
  }

  @Test func `an interface that comes later gathers too`() throws {
    let peers = TwoAgents(left: try Self.configuration(["stun:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    peers.left.act { $0.gather(at: peers.network.now) }
    let external = try #require(IPAddress("203.0.113.1"))
    peers.left.addAddress(
      "10.0.1.1", behind: NAT(externalIP: external, kind: .fullCone), conditions: ConnectTests.clean)
    peers.run(for: .milliseconds(10))
    #expect(peers.left.candidates.map(\.kind) == [.host, .serverReflexive])
    #expect(server.requests[.binding] == 1)
  }

  @Test func `reflexive mappings are kept alive until the peer comes, and a new one is told`() throws {
    let peers = TwoAgents(left: try Self.configuration(["stun:198.51.100.1"]))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    let external = try #require(IPAddress("203.0.113.1"))
    let nat = NAT(externalIP: external, kind: .portRestricted, lifetime: .seconds(30))
    peers.left.addAddress("10.0.1.1", behind: nat, conditions: ConnectTests.clean)
    peers.left.act { $0.gather(at: peers.network.now) }
    peers.run(for: .seconds(300))
    #expect(peers.left.candidates.count == 2)
    nat.reboot()
    peers.run(for: .seconds(16))
    #expect(peers.left.candidates.count == 3)
    #expect(server.requests[.binding, default: 0] > 15)
  }

  @Test func `policy relay shows no local address and answers no check on one`() throws {
    let peers = TwoAgents(left: try Self.configuration(["turn:198.51.100.1"], policy: .relay))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    var seen: Set<String> = []
    peers.network.tap = { datagram, _ in
      if datagram.destination.ip.description == "192.0.2.2" { seen.insert(datagram.source.ip.description) }
    }
    peers.start()
    // The peer guesses the address all the same.
    let bound = peers.left.bound[0]
    peers.right.act {
      $0.addRemoteCandidate(
        ICECandidate(foundation: "9", priority: 9, address: bound.ip, port: bound.port, kind: .host),
        at: peers.network.now)
    }
    #expect(peers.run(for: .seconds(5)) { peers.areNominated })
    #expect(peers.carriesData())
    #expect(peers.left.candidates.map(\.kind) == [.relayed])
    #expect(peers.left.candidates.first?.relatedAddress?.description == "0.0.0.0:0")
    #expect(seen == ["198.51.100.1"])
    #expect(server.liveAllocations == 1)
  }
}
