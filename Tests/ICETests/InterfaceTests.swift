import ICE
import TestSupport
import Testing
import WireFormat

struct InterfaceTests {
  private func address(
    _ text: String, _ name: String = "eth0", index: UInt32 = 1, kind: LocalInterfaceAddress.Kind = .ethernet,
    up: Bool = true, temporary: Bool = false, deprecated: Bool = false
  ) -> LocalInterfaceAddress {
    LocalInterfaceAddress(
      bound: SocketAddress(ip: IPAddress(text) ?? .ipv4Any, port: 0), interfaceName: name, index: index,
      kind: kind, isUp: up, isTemporary: temporary, isDeprecated: deprecated)
  }

  @Test func `only addresses worth a socket are used, cheap interfaces first, loopback last`() {
    let all = [
      address("127.0.0.1", "lo", kind: .loopback), address("10.8.0.2", "tun0", kind: .vpn),
      address("192.168.1.5"), address("172.17.0.1", "docker0", up: false), address("fe80::1"),
      address("169.254.7.7", "eth1"), address("2001:db8::5"), address("2001:db8::77", temporary: true),
      address("2001:db8:1::5", "eth1", index: 2), address("2001:db8::9", temporary: true, deprecated: true),
      address("0.0.0.0"), address("224.0.0.1"), address("::ffff:10.0.0.1"),
    ]
    let usable = LocalInterfaceAddress.usable(all).map { $0.bound.ip.description }
    #expect(usable == ["192.168.1.5", "2001:db8::77", "2001:db8:1::5", "10.8.0.2"])
    #expect(LocalInterfaceAddress.usable(all, allowLoopback: true).last?.bound.ip == .ipv4Loopback)
  }

  @Test func `link-local addresses are used where the family has nothing else`() {
    let usable = LocalInterfaceAddress.usable([address("fe80::1"), address("10.0.0.1")])
    #expect(usable.map { $0.bound.ip.description } == ["fe80::1", "10.0.0.1"])
  }

  @Test func `priorities follow RFC 8445 with families taking turns, IPv6 first`() {
    let peers = TwoAgents()
    for text in ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"] { peers.left.addAddress(text) }
    let candidates = peers.left.candidates
    for candidate in candidates {
      #expect(candidate.priority >> 24 == 126)
      #expect(candidate.priority & 0xFF == 255)
    }
    let order = candidates.sorted { $0.priority > $1.priority }.compactMap { $0.address?.description }
    #expect(order == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2"])
    #expect(Set(candidates.map(\.foundation)).count == 4)
  }

  @Test func `an address that goes hands over to another pair without a restart`() {
    let peers = TwoAgents()
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.left.addAddress("192.0.2.9", conditions: ConnectTests.clean, kind: .wifi)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.run(for: .seconds(1))
    let first = peers.left.bound[0]
    #expect(peers.left.agent.selectedPair?.local.socketAddress == first)
    let states = peers.left.states.count
    peers.left.removeAddress(first)
    #expect(peers.left.agent.selectedPair?.local.socketAddress == peers.left.bound[0])
    #expect(peers.left.send([0x80]))
    peers.run(for: .milliseconds(2))
    #expect(peers.left.agent.selectedPair?.isNominated == true)
    peers.run(for: .seconds(6))
    #expect(peers.carriesData())
    #expect(!peers.left.states[states...].contains(.disconnected))
  }

  @Test func `an address that comes while none is left connects by itself`() {
    let peers = ConsentTests.connected()
    peers.left.removeAddress(peers.left.bound[0])
    #expect(peers.left.agent.state == .disconnected)
    #expect(!peers.left.send([1]))
    peers.run(for: .seconds(3))
    peers.left.addAddress("192.0.2.77", conditions: ConnectTests.clean)
    let start = peers.network.now
    #expect(peers.run(for: .seconds(1)) { peers.areConnected && peers.left.agent.selectedPair != nil })
    #expect((peers.network.now - start).inMilliseconds <= 1.0)
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
  }

  @Test func `no address for 30 s is a failure`() {
    let peers = ConsentTests.connected()
    peers.left.removeAddress(peers.left.bound[0])
    peers.run(for: .seconds(29))
    #expect(peers.left.agent.state == .disconnected)
    peers.run(for: .seconds(2))
    #expect(peers.left.agent.state == .failed)
  }

  @Test func `a better interface that comes later takes over`() {
    let peers = TwoAgents()
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean, kind: .cellular)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.run(for: .seconds(1))
    let better = peers.left.addAddress("192.0.2.5", conditions: ConnectTests.clean, kind: .ethernet)
    peers.run(for: .seconds(1))
    #expect(peers.left.agent.selectedPair?.local.socketAddress == better)
    #expect(peers.right.agent.selectedPair?.remote.socketAddress == better)
    #expect(peers.carriesData())
  }

  @Test func `a path that dies hands over to a living one within 4 s, and comes back only when it stays up`()
  {
    let peers = TwoAgents()
    let first = peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    let second = peers.left.addAddress("192.0.2.9", conditions: ConnectTests.clean, kind: .wifi)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    peers.run(for: .seconds(1))
    peers.network.setDown(first.ip, true)
    #expect(
      peers.run(for: .seconds(4)) { peers.left.agent.selectedPair?.local.socketAddress == second })
    peers.run(for: .seconds(1))
    #expect(peers.carriesData())
    peers.network.setDown(first.ip, false)
    peers.run(for: .seconds(4))
    #expect(peers.left.agent.selectedPair?.local.socketAddress == second)
    peers.run(for: .seconds(60))
    #expect(peers.left.agent.selectedPair?.local.socketAddress == first)
    #expect(peers.carriesData())
  }

  @Test func `a reported network change asks on every path at once`() {
    let peers = ConsentTests.connected()
    let before = peers.left.datagramsSent
    peers.left.act { $0.networkChanged(at: peers.network.now) }
    #expect(peers.left.datagramsSent == before + 1)
  }

  @Test func `statistics count packets, bytes and round trips of a pair`() throws {
    let peers = ConsentTests.connected()
    for _ in 0..<10 { peers.left.send([UInt8](repeating: 0x80, count: 100)) }
    peers.run(for: .seconds(1))
    let ours = try #require(peers.left.agent.statistics().first { $0.isSelected })
    #expect(ours.packetsSent == 10)
    #expect(ours.bytesSent == 1000)
    #expect(ours.roundTripTime == .milliseconds(1))
    #expect(ours.isNominated)
    #expect(ours.state == .succeeded)
    let theirs = try #require(peers.right.agent.statistics().first { $0.isSelected })
    #expect(theirs.packetsReceived == 10)
    #expect(theirs.bytesReceived == 1000)
    #expect(theirs.requestsReceived > 0 && theirs.responsesSent == theirs.requestsReceived)
  }

  @Test func `datagrams from strangers are nobody's`() throws {
    let peers = ConsentTests.connected()
    let local = peers.left.bound[0]
    let stranger = try #require(SocketAddress("203.0.113.99", port: 1))
    let payload: [UInt8] = [0x80, 1, 2, 3]
    for input in [peers.left.agent.handle(payload.rawSpan, from: stranger, to: local, at: peers.network.now)]
    { #expect(input == .ignored) }
    for input in [
      peers.left.agent.handle([UInt8]().rawSpan, from: stranger, to: local, at: peers.network.now)
    ] { #expect(input == .ignored) }
    for input in [
      peers.left.agent.handle(payload.rawSpan, from: stranger, to: stranger, at: peers.network.now)
    ] { #expect(input == .ignored) }
  }
}
