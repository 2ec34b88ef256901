import ICE
import TestSupport
import Testing
import WireFormat

struct RestartTests {
  @Test func `a restart changes credentials while data flows on without a gap`() {
    let peers = ConsentTests.connected()
    let before = peers.left.agent.localParameters
    let states = peers.left.states.count
    peers.left.act { $0.restart(at: peers.network.now) }
    #expect(peers.left.agent.localParameters != before)
    #expect(peers.carriesData())
    // The answer takes its time.
    peers.run(for: .seconds(8))
    #expect(peers.carriesData())
    peers.right.act { $0.restart(at: peers.network.now) }
    peers.exchangeParameters()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect(peers.carriesData())
    peers.run(for: .seconds(30))
    #expect(peers.carriesData())
    #expect(!peers.left.states[states...].contains(.disconnected))
    #expect(!peers.left.states[states...].contains(.failed))
  }

  @Test func `a peer's new credentials restart the agent that was not told`() {
    let peers = ConsentTests.connected()
    let before = peers.right.agent.localParameters
    peers.left.act { $0.restart(at: peers.network.now) }
    let ours = peers.left.agent.localParameters
    peers.right.act { $0.setRemoteParameters(ours, at: peers.network.now) }
    let theirs = peers.right.agent.localParameters
    #expect(theirs != before)
    peers.left.act { $0.setRemoteParameters(theirs, at: peers.network.now) }
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect(peers.carriesData())
  }

  // A browser has a new socket for each generation, and sends from the old one until it has settled on a pair.
  @Test func `what comes over the old path is taken for some seconds more`() throws {
    let peers = ConsentTests.connected()
    let old = try #require(SocketAddress("192.0.2.99", port: 4000))
    let local = try #require(peers.left.bound.first)
    func isTaken() -> Bool {
      let payload: [UInt8] = [0x80, 1, 2, 3]
      let input = peers.left.agent.handle(payload.rawSpan, from: old, to: local, at: peers.network.now)
      if case .application = input { return true }
      return false
    }
    #expect(!isTaken())
    let candidate = ICECandidate(
      foundation: "9", priority: 1, address: old.ip, port: old.port, kind: .host)
    peers.left.act { $0.addRemoteCandidate(candidate, at: peers.network.now) }
    #expect(isTaken())
    peers.left.act { $0.restart(at: peers.network.now) }
    peers.right.act { $0.restart(at: peers.network.now) }
    peers.exchangeParameters()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect(isTaken())
    peers.run(for: .seconds(10))
    #expect(!isTaken())
    #expect(peers.carriesData())
  }

  @Test func `the same parameters again change nothing`() {
    let peers = ConsentTests.connected()
    let ours = peers.left.agent.localParameters
    let theirs = peers.right.agent.localParameters
    let pair = peers.right.agent.selectedPair
    peers.right.act { $0.setRemoteParameters(ours, at: peers.network.now) }
    #expect(peers.right.agent.localParameters == theirs)
    #expect(peers.right.agent.selectedPair == pair)
  }

  @Test func `local candidates are told again for the new description`() {
    let peers = ConsentTests.connected()
    let count = peers.left.candidates.count
    peers.left.act { $0.restart(at: peers.network.now) }
    #expect(peers.left.candidates.count == 2 * count)
    #expect(peers.left.events.count { $0.event == .gatheringComplete } == 2)
  }

  @Test func `a restart called while one is running counts once`() {
    let peers = ConsentTests.connected()
    peers.left.act { $0.restart(at: peers.network.now) }
    peers.left.act { $0.restart(at: peers.network.now) }
    peers.right.act { $0.restart(at: peers.network.now) }
    #expect(peers.carriesData())
    peers.exchangeParameters()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    peers.run(for: .seconds(40))
    #expect(peers.carriesData())
    #expect(!peers.left.states.contains(.failed))
  }

  @Test func `a closed agent does and says nothing more`() {
    let peers = ConsentTests.connected()
    peers.left.act { $0.close(at: peers.network.now) }
    #expect(peers.left.states.last == .closed)
    let events = peers.left.events.count
    #expect(peers.left.agent.nextTimeout() == nil)
    #expect(!peers.left.send([1]))
    peers.run(for: .seconds(60))
    #expect(peers.left.events.count == events)
    #expect(peers.right.agent.state == .failed)
  }
}
