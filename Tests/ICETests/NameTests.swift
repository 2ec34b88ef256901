import ICE
import TestSupport
import Testing
import WireFormat

/// Candidates whose host is a name: mDNS above all.
struct NameTests {
  static let name = "3f0c1b2a-0000-4000-8000-000000000001.local"

  private func named(_ port: UInt16) -> ICECandidate {
    ICECandidate(
      foundation: "1", priority: 2_113_937_151, address: nil, port: port, kind: .host, hostname: Self.name)
  }

  private func question(_ host: AgentHost) -> ICEResolutionID? {
    for (event, _) in host.events {
      if case .resolveMulticast(Self.name, let id) = event { return id }
    }
    return nil
  }

  @Test func `a local name resolved after 1.5 s connects one round trip later`() throws {
    let peers = TwoAgents()
    peers.trickles = false
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    let bound = peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.left.act { $0.addRemoteCandidate(named(bound.port), at: peers.network.now) }
    let id = try #require(question(peers.left))
    peers.run(for: .milliseconds(1500))
    #expect(peers.left.agent.state == .checking)
    peers.left.act { $0.resolved(id, addresses: [bound.ip], at: peers.network.now) }
    let start = peers.network.now
    #expect(peers.run(for: .seconds(1)) { peers.areConnected })
    #expect((peers.network.now - start).inMilliseconds <= 1.5)
  }

  @Test func `other candidates go on while a name is being asked for`() throws {
    let peers = TwoAgents()
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.left.act { $0.addRemoteCandidate(named(1000), at: peers.network.now) }
    peers.start()
    #expect(peers.run(for: .milliseconds(2)) { peers.areConnected })
  }

  @Test func `a name that nobody answers is noted after 5 s, and the peer's checks still connect`() throws {
    let peers = TwoAgents()
    peers.trickles = false
    let bound = peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.left.act { $0.addRemoteCandidate(named(1000), at: peers.network.now) }
    peers.run(for: .seconds(6))
    #expect(peers.left.notes.contains { $0.contains("does not resolve") })
    // The other side knows us by address: its check reveals it.
    let ours = try #require(peers.left.candidates.first { $0.port == bound.port })
    peers.right.act { $0.addRemoteCandidate(ours, at: peers.network.now) }
    #expect(peers.run(for: .milliseconds(3)) { peers.areNominated })
  }

  @Test func `without a resolver the candidate is ignored with a note`() {
    var configuration = ICEConfiguration(role: .controlling)
    configuration.resolvesMulticastNames = false
    let agent = ICEAgent(configuration: configuration, random: RandomSource(seed: 1))
    agent.addRemoteCandidate(named(1), at: .origin)
    guard case .note(let text)? = agent.nextEvent() else {
      Issue.record("no note")
      return
    }
    #expect(text.contains(Self.name))
    #expect(agent.nextEvent() == nil)
  }

  @Test func `one name is asked for once, and its candidates share the answer`() throws {
    let peers = TwoAgents()
    peers.left.addAddress("192.0.2.1")
    for port in UInt16(1)...3 {
      peers.left.act { $0.addRemoteCandidate(named(port), at: peers.network.now) }
    }
    let id = try #require(question(peers.left))
    #expect(peers.left.events.count { if case .resolveMulticast = $0.event { true } else { false } } == 1)
    let address = try #require(IPAddress("192.0.2.9"))
    peers.left.act { $0.resolved(id, addresses: [address], at: peers.network.now) }
    #expect(peers.left.agent.statistics().count == 3)
  }

  @Test func `names in resolution are bounded`() {
    let agent = ICEAgent(configuration: ICEConfiguration(role: .controlling), random: RandomSource(seed: 1))
    for number in 0..<40 {
      var candidate = named(1)
      candidate.hostname = "\(number).local"
      agent.addRemoteCandidate(candidate, at: .origin)
    }
    var questions = 0
    while let event = agent.nextEvent() { if case .resolveMulticast = event { questions += 1 } }
    #expect(questions == 16)
  }
}
