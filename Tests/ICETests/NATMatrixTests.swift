import ICE
import TestSupport
import Testing
import WireFormat

/// Every pair of networks with every kind of server connects exactly where theory says that it can.
struct NATMatrixTests {
  enum Network: String, CaseIterable, Sendable {
    case open, fullCone, addressRestricted, portRestricted, symmetric

    var nat: NAT.Kind? { NAT.Kind(rawValue: rawValue) }
  }

  enum Servers: String, CaseIterable, Sendable {
    case none, stun, turn
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let left: Network
    let right: Network
    let servers: Servers

    var testDescription: String { "\(left.rawValue) and \(right.rawValue) with \(servers.rawValue)" }

    static let all: [Case] = Network.allCases.flatMap { left in
      Network.allCases.flatMap { right in
        Servers.allCases.map { Case(left: left, right: right, servers: $0) }
      }
    }

    /// Without a server a side behind a NAT is not reachable, but it reaches an open one. With reflexive
    /// addresses, a symmetric mapping is new for each destination: the other side must not filter by port.
    var canConnect: Bool {
      switch servers {
      case .turn: true
      case .none: left == .open || right == .open
      case .stun:
        !(left == .symmetric && (right == .symmetric || right == .portRestricted))
          && !(right == .symmetric && left == .portRestricted)
      }
    }

    var needsRelay: Bool {
      servers == .turn && !Case(left: left, right: right, servers: .stun).canConnect
    }
  }

  @Test(arguments: Case.all)
  func `connects exactly where theory says`(_ test: Case) throws {
    let uri =
      switch test.servers {
      case .none: ""
      case .stun: "stun:198.51.100.1"
      case .turn: "turn:198.51.100.1"
      }
    let servers =
      test.servers == .none
      ? [] : [ICEServer(uris: [try ICEServerURI(uri)], username: "user", password: "secret")]
    let peers = TwoAgents(
      left: ICEConfiguration(role: .controlling, servers: servers),
      right: ICEConfiguration(role: .controlled, servers: servers))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    peers.signallingDelay = .milliseconds(10)
    join(peers.left, test.left, inside: "10.0.1.2", outside: "203.0.113.1")
    join(peers.right, test.right, inside: "10.0.2.2", outside: "203.0.113.2")
    peers.start()
    let connected = peers.run(for: .seconds(20)) { peers.areNominated }
    #expect(connected == test.canConnect, "requests: \(server.requests)")
    guard connected else { return }
    #expect(peers.carriesData())
    // Where a hole takes a retransmission to punch, a relay may carry data first; the direct pair takes over.
    peers.run(for: .seconds(3)) { peers.left.agent.selectedPair?.isRelayed == test.needsRelay }
    #expect(peers.left.agent.selectedPair?.isRelayed == test.needsRelay)
    #expect(peers.carriesData())
  }

  private func join(_ host: AgentHost, _ network: Network, inside: String, outside: String) {
    var conditions = ConnectTests.clean
    conditions.delayMilliseconds = 5
    guard let kind = network.nat, let external = IPAddress(outside) else {
      host.addAddress(outside, conditions: conditions)
      return
    }
    host.addAddress(inside, behind: NAT(externalIP: external, kind: kind), conditions: conditions)
  }

  @Test(arguments: [true, false])
  func `two agents behind one NAT connect inside, whether it hairpins or not`(_ hairpins: Bool) throws {
    let servers = [ICEServer(uris: [try ICEServerURI("stun:198.51.100.1")])]
    let peers = TwoAgents(
      left: ICEConfiguration(role: .controlling, servers: servers),
      right: ICEConfiguration(role: .controlled, servers: servers))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    let external = try #require(IPAddress("203.0.113.1"))
    let nat = NAT(externalIP: external, kind: .portRestricted, hairpins: hairpins)
    peers.left.addAddress("10.0.1.2", behind: nat, conditions: ConnectTests.clean)
    peers.right.addAddress("10.0.1.3", behind: nat, conditions: ConnectTests.clean)
    peers.start()
    #expect(peers.run(for: .seconds(2)) { peers.areNominated })
    #expect(peers.left.agent.selectedPair?.local.kind == .host)
    #expect(peers.left.agent.selectedPair?.remote.kind == .host)
    #expect(server.requests[.binding] == 2)
  }

  @Test func `a hairpinning NAT carries two agents whose inner networks do not meet`() throws {
    let servers = [ICEServer(uris: [try ICEServerURI("stun:198.51.100.1")])]
    let peers = TwoAgents(
      left: ICEConfiguration(role: .controlling, servers: servers),
      right: ICEConfiguration(role: .controlled, servers: servers))
    let server = SimulatedServer("198.51.100.1", network: peers.network)
    let nat = NAT(externalIP: try #require(IPAddress("203.0.113.1")), kind: .fullCone, hairpins: true)
    peers.left.addAddress("10.0.1.2", behind: nat, conditions: ConnectTests.clean)
    peers.right.addAddress("10.0.1.3", behind: nat, conditions: ConnectTests.clean)
    // Host candidates never reach the other side: only the reflexive ones do.
    peers.trickles = false
    peers.start()
    peers.run(for: .milliseconds(20))
    for candidate in peers.left.candidates where candidate.kind == .serverReflexive {
      peers.right.act { $0.addRemoteCandidate(candidate, at: peers.network.now) }
    }
    #expect(peers.run(for: .seconds(3)) { peers.areNominated })
    #expect(peers.carriesData())
    #expect(server.requests[.binding] == 2)
  }
}
