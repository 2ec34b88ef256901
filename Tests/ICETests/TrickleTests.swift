import ICE
import TestSupport
import Testing
import WireFormat

struct TrickleTests {
  private func twoAgents() -> TwoAgents {
    let peers = TwoAgents()
    peers.trickles = false
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    return peers
  }

  private func give(_ from: AgentHost, to: AgentHost, at now: Instant) {
    for candidate in from.candidates { to.act { $0.addRemoteCandidate(candidate, at: now) } }
    to.act { $0.endOfRemoteCandidates(at: now) }
  }

  @Test func `candidates before the description work`() {
    let peers = twoAgents()
    peers.gather()
    give(peers.left, to: peers.right, at: peers.network.now)
    give(peers.right, to: peers.left, at: peers.network.now)
    peers.run(for: .seconds(1))
    #expect(peers.left.datagramsSent == 0)
    #expect(peers.left.agent.state == .new)
    peers.exchangeParameters()
    #expect(peers.run(for: .milliseconds(2)) { peers.areConnected })
  }

  @Test func `candidates long after the description work`() {
    let peers = twoAgents()
    peers.start()
    peers.run(for: .seconds(20))
    #expect(peers.left.agent.state == .checking)
    let start = peers.network.now
    give(peers.left, to: peers.right, at: start)
    give(peers.right, to: peers.left, at: start)
    #expect(peers.run(for: .seconds(1)) { peers.areConnected })
    #expect((peers.network.now - start).inMilliseconds <= 1.0)
  }

  @Test func `candidates of one side alone are enough, by peer-reflexive ones`() {
    let peers = twoAgents()
    peers.start()
    give(peers.right, to: peers.left, at: peers.network.now)
    let start = peers.network.now
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect((peers.network.now - start).inMilliseconds <= 2.0)
    #expect(peers.right.agent.selectedPair?.remote.kind == .peerReflexive)
    // The signalled candidate, when it comes, takes the place of the revealed one.
    give(peers.left, to: peers.right, at: peers.network.now)
    #expect(peers.right.agent.selectedPair?.remote.kind == .host)
    #expect(peers.right.agent.statistics().count == 1)
  }

  @Test func `a peer's check before its description is answered, and checked back once it comes`() {
    let peers = twoAgents()
    peers.gather()
    let theirs = peers.right.agent.localParameters
    peers.left.act { $0.setRemoteParameters(theirs, at: peers.network.now) }
    give(peers.right, to: peers.left, at: peers.network.now)
    #expect(peers.run(for: .seconds(1)) { peers.left.isConnected })
    #expect(!peers.right.isConnected)
    let ours = peers.left.agent.localParameters
    let start = peers.network.now
    peers.right.act { $0.setRemoteParameters(ours, at: peers.network.now) }
    #expect(peers.run(for: .seconds(1)) { peers.right.isConnected })
    #expect((peers.network.now - start).inMilliseconds <= 1.0)
  }

  @Test func `a candidate of a generation to come waits for its description`() {
    let peers = twoAgents()
    peers.gather()
    var candidate = peers.right.candidates[0]
    candidate.ufrag = "later"
    peers.left.act { $0.addRemoteCandidate(candidate, at: peers.network.now) }
    #expect(peers.left.agent.statistics().isEmpty)
    peers.left.act {
      $0.setRemoteParameters(
        ICEParameters(ufrag: "later", password: "passwordpasswordpassword"), at: peers.network.now)
    }
    #expect(peers.left.agent.statistics().count == 1)
  }

  @Test func `both sides at three interfaces and slow signalling connect within two round trips`() {
    let peers = TwoAgents()
    peers.signallingDelay = .milliseconds(30)
    for number in 1...3 {
      peers.left.addAddress("10.0.\(number).1", conditions: ConnectTests.clean)
      peers.right.addAddress("10.0.\(number + 3).1", conditions: ConnectTests.clean)
    }
    peers.start()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect((peers.network.now - .origin).inMilliseconds <= 30 + 2.0)
  }
}
