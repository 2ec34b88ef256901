import ICE
import TestSupport
import Testing
import WireFormat

struct ConnectTests {
  /// One way takes half a millisecond: a round trip is 1 ms.
  static var clean: LinkEmulator<SimulatedNetwork.Datagram>.Conditions {
    var conditions = LinkEmulator<SimulatedNetwork.Datagram>.Conditions()
    conditions.delayMilliseconds = 0.5
    return conditions
  }

  @Test func `two agents on one network carry data after one round trip and agree after two`() {
    let peers = TwoAgents()
    peers.left.addAddress("192.0.2.1", conditions: Self.clean)
    peers.right.addAddress("192.0.2.2", conditions: Self.clean)
    peers.start()
    let start = peers.network.now
    #expect(peers.run(for: .seconds(1)) { peers.areConnected })
    #expect((peers.network.now - start).inMilliseconds <= 1.0)
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    #expect((peers.network.now - start).inMilliseconds <= 2.0)
    #expect(peers.carriesData())
    peers.run(for: .seconds(1))
    #expect(peers.left.agent.state == .completed)
    #expect(peers.right.agent.state == .completed)
    #expect(peers.left.states == [.checking, .connected, .completed])
    #expect(peers.left.agent.roundTripTime == .milliseconds(1))
  }
}
