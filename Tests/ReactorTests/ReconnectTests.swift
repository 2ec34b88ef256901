import Reactor
import ReactorLocalRuntime
import Testing

/// Connections that go and come again (field case 26).
@Suite(.serialized) struct ReconnectTests {
  @Test func `reconnecting many times in a row leaves one connection and one event a state`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    let before = scene.statuses.count
    for _ in 0..<5 { try await scene.reactor.reconnect() }
    let cycle: [ReactorStatus] = [.disconnected, .connecting, .waiting, .ready]
    let expected = Array(repeatElement(cycle, count: 5).joined())
    #expect(await eventually { Array(scene.statuses.all.dropFirst(before)) == expected })
    #expect(await eventually { await scene.runtime.clientCount == 1 })
    #expect(scene.errors.count == 0)
    _ = try await scene.reactor.sendCommand("echo", ["text": "still here"])
    try await scene.reactor.disconnect()
    await scene.finish()
  }

  @Test func `of two reconnects at once one is refused and the other goes through`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    scene.transport.set(.held(.step(.offer)))
    let first = Task { [reactor = scene.reactor] in try await reactor.reconnect() }
    #expect(await eventually { scene.transport.isHolding })
    #expect(await failure { try await scene.reactor.reconnect() }?.code == .invalidState)
    scene.transport.set(.open)
    try await first.value
    #expect(scene.reactor.status == .ready)
    try await scene.reactor.disconnect()
    await scene.finish()
  }

  @Test func `a runtime that vanishes is told once, and the session can be reconnected`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    let session = scene.reactor.sessionID
    await scene.runtime.dropConnections()
    #expect(await eventually { scene.reactor.status == .disconnected })
    #expect(scene.reactor.sessionID == session)
    #expect(await eventually { scene.errors.all.map(\.code) == [.disconnected] })
    #expect(scene.errors.all.first?.recoverable == true)
    #expect(scene.errors.all.first?.operation == nil)
    #expect(await eventually { scene.statuses.all.last == .disconnected })
    try await scene.reactor.reconnect()
    #expect(scene.reactor.status == .ready && scene.reactor.sessionID == session)
    #expect(scene.errors.count == 1)
    try await scene.reactor.disconnect()
    await scene.finish()
  }
}
