import ICE
import STUN
import TestSupport
import Testing
import WireFormat

struct RoleConflictTests {
  private func connect(_ role: ICERole, left: UInt64, right: UInt64) -> TwoAgents {
    let peers = TwoAgents(
      left: ICEConfiguration(role: role), right: ICEConfiguration(role: role))
    peers.left.agent.set(tieBreaker: left)
    peers.right.agent.set(tieBreaker: right)
    peers.left.addAddress("192.0.2.1", conditions: ConnectTests.clean)
    peers.right.addAddress("192.0.2.2", conditions: ConnectTests.clean)
    peers.start()
    return peers
  }

  @Test(arguments: [(UInt64(5), UInt64(9)), (9, 5), (7, 7)])
  func `two controlling agents settle by tie-breaker, and the new controller nominates`(
    _ left: UInt64, _ right: UInt64
  ) {
    let peers = connect(.controlling, left: left, right: right)
    #expect(peers.run(for: .seconds(5)) { peers.areNominated })
    #expect(peers.left.agent.role != peers.right.agent.role)
    if left != right { #expect((peers.left.agent.role == .controlling) == (left > right)) }
    #expect(peers.carriesData())
  }

  @Test(arguments: [(UInt64(5), UInt64(9)), (9, 5), (7, 7)])
  func `two controlled agents settle by tie-breaker, and the new controller nominates`(
    _ left: UInt64, _ right: UInt64
  ) {
    let peers = connect(.controlled, left: left, right: right)
    #expect(peers.run(for: .seconds(5)) { peers.areNominated })
    #expect(peers.left.agent.role != peers.right.agent.role)
    if left != right { #expect((peers.left.agent.role == .controlling) == (left > right)) }
  }

  @Test func `a 487 to a nominating check switches the role, changes the tie-breaker and repeats the check`()
    throws
  {
    let peer = ScriptedPeer()
    let host = peer.connect(role: .controlling)
    let nomination = try #require(peer.requests.last { $0.useCandidate })
    let before = try #require(nomination.iceControlling)
    peer.fail(nomination, .roleConflict)
    #expect(host.role == .controlled)
    let repeated = try #require(peer.requests.last)
    #expect(repeated.transactionID != nomination.transactionID)
    let after = try #require(repeated.iceControlled)
    #expect(after != before)
    #expect(!repeated.useCandidate)
  }

  @Test func `pair priorities follow the role`() throws {
    let peer = ScriptedPeer()
    let agent = peer.connect(role: .controlling)
    let before = try #require(agent.statistics().first)
    let nomination = try #require(peer.requests.last { $0.useCandidate })
    peer.fail(nomination, .roleConflict)
    let after = try #require(agent.statistics().first)
    // Only the last bit tells which side's candidate is the better one.
    #expect(before.local.priority != before.remote.priority)
    #expect(before.priority ^ after.priority == 1)
  }
}
