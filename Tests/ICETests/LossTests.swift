import ICE
import TestSupport
import Testing
import WireFormat

struct LossTests {
  @Test func `1000 seeds of 20 percent loss, jitter, reordering and duplication all connect`() {
    var times: [Double] = []
    for seed in UInt64(1)...1000 {
      let peers = TwoAgents(seed: seed)
      var conditions = LinkEmulator<SimulatedNetwork.Datagram>.Conditions()
      conditions.loss = 0.2
      conditions.delayMilliseconds = 20
      conditions.jitterMilliseconds = 10
      conditions.reorder = 0.05
      conditions.duplication = 0.05
      peers.left.addAddress("203.0.113.1", conditions: conditions)
      peers.right.addAddress("203.0.113.2", conditions: conditions)
      peers.start()
      let connected = peers.run(for: .seconds(30)) { peers.areConnected && peers.areNominated }
      if !connected { Issue.record("seed \(seed) did not connect") }
      times.append((peers.network.now - .origin).inMilliseconds)
    }
    times.sort()
    // A round trip takes 40 to 60 ms: half of all seeds lose nothing that matters.
    #expect(times[500] < 700)
    #expect(times[990] < 5000, "99 %: \(times[990]) ms")
  }
}
