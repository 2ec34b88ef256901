import ICE
import STUN
import TestSupport
import Testing
import WireFormat

struct CheckTests {
  @Test func `a check carries what RFC 8445 asks for`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let check = try #require(peer.requests.first)
    #expect(check.username == "peer:\(peer.agent.localParameters.ufrag)")
    #expect(check.iceControlling != nil)
    let candidate = try #require(peer.agent.localCandidates.first)
    #expect(check.priority == 110 << 24 | candidate.priority & 0xFF_FFFF)
    #expect(!check.useCandidate)
    #expect(check.integrity.count == 1)
  }

  @Test func `a check that came over loopback from another address of the machine is answered and returned`()
    throws
  {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let loopback = SocketAddress(ip: .ipv4Loopback, port: 5003)
    peer.agent.addLocalAddress(LocalInterfaceAddress(bound: loopback, kind: .loopback), at: peer.now)
    peer.drain()
    // Nobody reaches loopback from another machine, so this path is not tried unasked.
    #expect(peer.agent.statistics().count == 1)
    _ = peer.agent.handle(
      peer.check(controlling: false).rawSpan, from: peer.remote, to: loopback, at: peer.now)
    let answer = try #require(peer.agent.nextTransmit())
    #expect(answer.path == .datagram(local: loopback, remote: peer.remote))
    #expect(try STUNMessage(decoding: answer.payload.rawSpan).messageClass == .success)
    let check = try #require(peer.agent.nextTransmit())
    #expect(check.path == .datagram(local: loopback, remote: peer.remote))
    #expect(try STUNMessage(decoding: check.payload.rawSpan).messageClass == .request)
  }

  @Test func `unanswered checks are sent again at doubling intervals, seven times, and later retried`() {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    var times = [Interval.zero]
    var known = 1
    while peer.now < .origin + .seconds(29), let next = peer.agent.nextTimeout() {
      peer.now = next
      peer.agent.handleTimeout(at: next)
      peer.drain()
      if peer.requests.count > known { times.append(peer.now - .origin) }
      known = peer.requests.count
    }
    let milliseconds = times.map(\.wholeMilliseconds)
    #expect(Array(milliseconds.prefix(6)) == [0, 500, 1500, 3500, 7500, 15_500])
    peer.pass(.seconds(10))
    #expect(peer.states == [.checking, .failed])
  }

  @Test func `a success from another address than the one asked is no path`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let check = try #require(peer.requests.first)
    peer.succeed(check, from: SocketAddress(ip: IPAddress(ipv4: 0xC000_0209), port: 5002))
    #expect(peer.agent.state == .checking)
    #expect(peer.agent.statistics().first?.state == .failed)
  }

  @Test func `an answer with a wrong password is not looked at`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let check = try #require(peer.requests.first)
    let forged = STUNMessage(
      .success, .binding, transactionID: check.transactionID, attributes: [.xorMappedAddress(peer.local)])
    peer.deliver(forged.encoded(key: STUNIntegrityKey(password: "guess")))
    peer.deliver(forged.encoded())
    #expect(peer.agent.state == .checking)
    peer.succeed(check)
    #expect(peer.agent.state == .connected)
  }

  @Test func `the address that the peer reports becomes a peer-reflexive candidate`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let outside = SocketAddress(ip: IPAddress(ipv4: 0xCB00_7101), port: 6000)
    peer.succeed(try #require(peer.requests.first), mapped: outside)
    let local = try #require(peer.agent.selectedPair?.local)
    #expect(local.kind == .peerReflexive)
    #expect(local.socketAddress == outside)
    #expect(local.relatedAddress == peer.local)
  }

  @Test func `a check with an unknown attribute that must be understood is answered with 420`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    peer.deliver(peer.check(extra: [.unknown(0x7F01, [1]), .unknown(0xC070, [2])]))
    let response = try #require(peer.responses.last)
    #expect(response.errorCode?.code == 420)
    #expect(response.attributes.contains(.unknownAttributes([0x7F01])))
  }

  @Test func `checks without or with wrong credentials are refused and trigger nothing`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    let before = peer.requests.count
    peer.deliver(peer.check(password: "wrong"))
    #expect(peer.responses.last?.errorCode?.code == 401)
    let bare = STUNMessage(.request, .binding, transactionID: STUNTransactionID(high: 1, low: 1))
    peer.deliver(bare.encoded())
    #expect(peer.responses.last?.errorCode?.code == 400)
    #expect(peer.deliver(peer.check(username: "other:peer")) == .ignored)
    #expect(peer.requests.count == before)
  }

  // Seen of libwebrtc after an ICE restart: answered, it chose such a path, and its media was lost here.
  @Test func `a check under the peer's former name is not answered, and changes nothing`() {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    let (requests, responses) = (peer.requests.count, peer.responses.count)
    let username = "\(peer.agent.localParameters.ufrag):former"
    let source = SocketAddress(ip: IPAddress(ipv4: 0xCB00_7105), port: 7777)
    peer.deliver(peer.check(useCandidate: true, username: username), from: source)
    peer.deliver(peer.check(controlling: false, username: username), from: source)
    #expect(peer.requests.count == requests)
    #expect(peer.responses.count == responses)
    #expect(peer.agent.role == .controlled)
  }

  @Test func `a check from an unknown address makes a peer-reflexive pair and a check back at once`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    let source = SocketAddress(ip: IPAddress(ipv4: 0xCB00_7105), port: 7777)
    let before = peer.requests.count
    peer.deliver(peer.check(useCandidate: true), from: source)
    #expect(peer.responses.last?.mappedAddress == source)
    #expect(peer.requests.count == before + 1)
    peer.succeed(try #require(peer.requests.last), from: source)
    let pair = try #require(peer.agent.selectedPair)
    #expect(pair.remote.kind == .peerReflexive)
    #expect(pair.remote.priority == 1_845_501_695)
    #expect(pair.isNominated)
  }

  @Test func `an aggressive peer's highest pair is the one that counts`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlled)
    let low = SocketAddress(ip: IPAddress(ipv4: 0xCB00_7106), port: 1)
    peer.agent.addRemoteCandidate(
      ICECandidate(foundation: "2", priority: 10, address: low.ip, port: low.port, kind: .serverReflexive),
      at: peer.now)
    peer.drain()
    peer.deliver(peer.check(useCandidate: true), from: peer.remote)
    peer.succeed(try #require(peer.requests.last))
    #expect(peer.agent.selectedPair?.remote.socketAddress == peer.remote)
    peer.deliver(peer.check(useCandidate: true), from: low)
    peer.succeed(try #require(peer.requests.last), from: low)
    #expect(peer.agent.selectedPair?.remote.socketAddress == peer.remote)
    // Long after, it is no aggression but a change of mind.
    peer.pass(.seconds(4)) { _ in true }
    peer.deliver(peer.check(useCandidate: true), from: low)
    #expect(peer.agent.selectedPair?.remote.socketAddress == low)
  }

  @Test func `with a lite peer the agent controls, checks and nominates alone`() throws {
    let peer = ScriptedPeer()
    peer.start(role: .controlled, lite: true)
    #expect(peer.agent.role == .controlling)
    let check = try #require(peer.requests.last)
    #expect(check.iceControlling != nil)
    peer.succeed(check)
    let nomination = try #require(peer.requests.last)
    #expect(nomination.useCandidate)
    peer.succeed(nomination)
    #expect(peer.agent.selectedPair?.isNominated == true)
  }

  @Test func `checks between private addresses leave 5 ms apart, others 50 ms, and the first at once`() {
    for (prefix, spacing) in [(UInt32(0x0A00_0000), Int64(5)), (0xC000_0200, 50)] {
      let agent = ICEAgent(configuration: ICEConfiguration(role: .controlling), random: RandomSource(seed: 1))
      let local = SocketAddress(ip: IPAddress(ipv4: prefix + 1), port: 5000)
      agent.addLocalAddress(LocalInterfaceAddress(bound: local), at: .origin)
      agent.setRemoteParameters(
        ICEParameters(ufrag: "peer", password: "peerpasswordpeerpassword"), at: .origin)
      for number in UInt32(2)...5 {
        agent.addRemoteCandidate(
          ICECandidate(
            foundation: "\(number)", priority: number, address: IPAddress(ipv4: prefix + number), port: 9,
            kind: .host), at: .origin)
      }
      var times: [Int64] = []
      var now = Instant.origin
      while times.count < 4 {
        while let transmit = agent.nextTransmit() {
          _ = transmit
          times.append((now - .origin).wholeMilliseconds)
        }
        guard times.count < 4, let next = agent.nextTimeout() else { break }
        now = next
        agent.handleTimeout(at: now)
      }
      #expect(times == [0, spacing, 2 * spacing, 3 * spacing])
    }
  }

  @Test func `candidates and pairs are bounded, and the lowest priority goes`() {
    var configuration = ICEConfiguration(role: .controlling)
    configuration.limits.pairs = 10
    let agent = ICEAgent(configuration: configuration, random: RandomSource(seed: 1))
    let local = SocketAddress(ip: IPAddress(ipv4: 0xC000_0201), port: 5000)
    agent.addLocalAddress(LocalInterfaceAddress(bound: local), at: .origin)
    for number in UInt32(1)...150 {
      agent.addRemoteCandidate(
        ICECandidate(
          foundation: "\(number)", priority: number, address: IPAddress(ipv4: 0xCB00_7100 + number), port: 9,
          kind: .host), at: .origin)
    }
    let pairs = agent.statistics()
    #expect(pairs.count == 10)
    #expect(Set(pairs.map(\.remote.priority)) == Set(91...100))
    var notes = 0
    while let event = agent.nextEvent() { if case .note = event { notes += 1 } }
    #expect(notes == 50)
  }

  @Test func `TCP candidates, other components and unreachable families are skipped without a word`() {
    let peer = ScriptedPeer()
    peer.start(role: .controlling)
    let before = peer.events.count
    var tcp = peer.candidate()
    tcp.transport = .tcp
    tcp.tcpType = .passive
    tcp.port = 9
    var rtcp = peer.candidate()
    rtcp.component = 2
    rtcp.port = 10
    var ipv6 = peer.candidate()
    ipv6.address = .ipv6Loopback
    for candidate in [tcp, rtcp, ipv6] { peer.agent.addRemoteCandidate(candidate, at: peer.now) }
    peer.drain()
    #expect(peer.events.count == before)
    #expect(peer.agent.statistics().count == 1)
  }

  final class Rider: ICECheckExtension {
    var seen: [[UInt8]] = []
    func attributes(for messageClass: STUNClass, pair: ICEPairID) -> [STUNAttribute] {
      [.unknown(0xC070, messageClass == .request ? [1] : [2])]
    }
    func received(_ message: STUNMessage, pair: ICEPairID) {
      if let value = message.unknownAttribute(0xC070) { seen.append(value) }
    }
  }

  @Test func `another layer may ride on checks`() {
    let peers = TwoAgents()
    let riders = [Rider(), Rider()]
    peers.left.agent.checkExtension = riders[0]
    peers.right.agent.checkExtension = riders[1]
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    #expect(peers.run(for: .seconds(1)) { peers.areNominated })
    for rider in riders {
      #expect(rider.seen.contains([1]))
      #expect(rider.seen.contains([2]))
    }
  }
}
