import ICE
import TestSupport
import WireFormat

/// Two agents, the network between them and their signalling, run on the virtual clock.
final class TwoAgents {
  let network: SimulatedNetwork
  let left: AgentHost
  let right: AgentHost
  /// Things that happen at a moment: signalling on its way, servers' timers.
  private var agenda: [(due: Instant, order: Int, action: () -> Void)] = []
  private var counter = 0
  /// Candidates and parameters take this long.
  var signallingDelay = Interval.zero
  var trickles = true

  init(
    seed: UInt64 = 1, left: ICEConfiguration = ICEConfiguration(role: .controlling),
    right: ICEConfiguration = ICEConfiguration(role: .controlled)
  ) {
    network = SimulatedNetwork(seed: seed)
    self.left = AgentHost("left", network: network, configuration: left, seed: seed &* 2 &+ 1)
    self.right = AgentHost("right", network: network, configuration: right, seed: seed &* 2 &+ 2)
    wire(self.left, to: self.right)
    wire(self.right, to: self.left)
  }

  private func wire(_ host: AgentHost, to other: AgentHost) {
    host.onEvent = { [unowned self, unowned other] event in
      guard trickles else { return }
      switch event {
      case .localCandidate(let candidate):
        after(signallingDelay) { other.act { $0.addRemoteCandidate(candidate, at: self.network.now) } }
      case .gatheringComplete:
        after(signallingDelay) { other.act { $0.endOfRemoteCandidates(at: self.network.now) } }
      default: break
      }
    }
  }

  func after(_ wait: Interval, _ action: @escaping () -> Void) {
    counter += 1
    agenda.append((network.now + wait, counter, action))
  }

  /// Exchanges parameters and starts gathering on both sides.
  func start() {
    exchangeParameters()
    gather()
  }

  func exchangeParameters() {
    let (ours, theirs) = (left.agent.localParameters, right.agent.localParameters)
    after(signallingDelay) { [unowned self] in right.act { $0.setRemoteParameters(ours, at: network.now) } }
    after(signallingDelay) { [unowned self] in left.act { $0.setRemoteParameters(theirs, at: network.now) } }
  }

  func gather() {
    left.act { $0.gather(at: network.now) }
    right.act { $0.gather(at: network.now) }
  }

  /// Runs until `condition`, for `span` at most; whether it came true.
  @discardableResult
  func run(for span: Interval, until condition: () -> Bool = { false }) -> Bool {
    let end = network.now + span
    while !condition() {
      var next = network.nextArrival
      next = .earliest(next, agenda.map(\.due).min())
      next = .earliest(next, left.agent.nextTimeout())
      next = .earliest(next, right.agent.nextTimeout())
      guard let next, next <= end else {
        network.advance(to: end)
        return condition()
      }
      network.advance(to: next)
      runAgenda()
      for host in [left, right] {
        if let due = host.agent.nextTimeout(), due <= network.now {
          host.act { $0.handleTimeout(at: network.now) }
        }
      }
    }
    return true
  }

  private func runAgenda() {
    while let index = agenda.indices.filter({ agenda[$0].due <= network.now })
      .min(by: { (agenda[$0].due, agenda[$0].order) < (agenda[$1].due, agenda[$1].order) })
    {
      agenda.remove(at: index).action()
    }
  }

  var areConnected: Bool { left.isConnected && right.isConnected }
  var areNominated: Bool {
    left.agent.selectedPair?.isNominated == true && right.agent.selectedPair?.isNominated == true
  }

  /// One datagram each way arrives.
  func carriesData() -> Bool {
    let (before, beforeRight) = (left.received.count, right.received.count)
    let ping: [UInt8] = [0x80, 1, 2, 3, 4]
    guard left.send(ping), right.send(ping) else { return false }
    return run(for: .seconds(2)) { left.received.count > before && right.received.count > beforeRight }
      && left.received.last == ping && right.received.last == ping
  }
}
