import Reactor
import Testing

/// A failure and a cancellation at each step of an attempt leave nothing behind.
@Suite(.serialized) struct AttemptStepTests {
  private static let reconnectSteps: [AttemptStep] = [.servers, .offer, .answer, .transport]

  /// A connect that is cancelled or that failed: nothing is left, here or at the runtime, and the next one works.
  private func checkCleanEnd(_ scene: LifecycleScene, code: ReactorError.Code) async throws {
    #expect(scene.reactor.status == .disconnected)
    #expect(scene.reactor.sessionID == nil)
    #expect(scene.reactor.tracks.isEmpty)
    #expect(await eventually { await scene.runtime.clientCount == 0 })
    #expect(try await scene.runtimeState() == "ready", "the session that the connect made is ended")
    #expect(await eventually { scene.statuses.all.last == .disconnected })
    #expect(scene.errors.all.map(\.code) == [code])
    #expect(scene.errors.all.first?.operation == "connect")
    #expect(scene.errors.all.first?.timestampMS != nil)
    scene.transport.set(.open)
    try await scene.reactor.connect()
    try await scene.reactor.disconnect()
  }

  @Test(arguments: AttemptStep.allCases)
  func `a connect that fails at a step ends what it made`(step: AttemptStep) async throws {
    let scene = try LifecycleScene(.refused(.step(step)), readyTimeout: .seconds(3))
    let error = await failure { try await scene.reactor.connect() }
    let code: ReactorError.Code = step == .transport ? .requestTimeout : .badRequest
    #expect(error?.code == code)
    #expect(error?.operation == "connect")
    try await checkCleanEnd(scene, code: code)
    await scene.finish()
  }

  @Test(arguments: AttemptStep.allCases)
  func `a connect that is cancelled at a step ends what it made`(step: AttemptStep) async throws {
    let scene = try LifecycleScene(.held(.step(step)))
    let connecting = Task { [reactor = scene.reactor] in try await reactor.connect() }
    #expect(await eventually { scene.transport.isHolding })
    connecting.cancel()
    // What was on its way may come: a created session's id, for one.
    if step == .session { scene.transport.set(.open) }
    #expect(await failure { try await connecting.value }?.code == .aborted)
    try await checkCleanEnd(scene, code: .aborted)
    await scene.finish()
  }

  @Test(arguments: AttemptStep.allCases)
  func `a disconnect at a step of a connect does the same`(step: AttemptStep) async throws {
    let scene = try LifecycleScene(.held(.step(step)))
    let connecting = Task { [reactor = scene.reactor] in try await reactor.connect() }
    #expect(await eventually { scene.transport.isHolding })
    let disconnecting = Task { [reactor = scene.reactor] in try await reactor.disconnect() }
    if step == .session {
      // Its own hold would last for the two seconds that a cancelled creation is waited for.
      #expect(await failure { try await disconnecting.value } == nil)
    }
    #expect(await failure { try await connecting.value }?.code == .aborted)
    try await disconnecting.value
    if step != .session { try await checkCleanEnd(scene, code: .aborted) }
    await scene.finish()
  }

  @Test(arguments: AttemptStep.allCases)
  func `closing at a step of a connect is final`(step: AttemptStep) async throws {
    let scene = try LifecycleScene(.held(.step(step)))
    let connecting = Task { [reactor = scene.reactor] in try await reactor.connect() }
    #expect(await eventually { scene.transport.isHolding })
    scene.reactor.close()
    if step == .session { scene.transport.set(.open) }
    #expect(await failure { try await connecting.value }?.code == .aborted)
    #expect(scene.reactor.status == .disconnected && scene.reactor.isClosed)
    #expect(await eventually { await scene.runtime.clientCount == 0 })
    #expect(scene.errors.count == 0)
    await scene.finish()
  }

  @Test(arguments: reconnectSteps, [false, true])
  func `a reconnect that fails or is cancelled at a step keeps the session`(
    step: AttemptStep, isCancelled: Bool
  ) async throws {
    let scene = try LifecycleScene(readyTimeout: isCancelled ? .seconds(30) : .seconds(3))
    try await scene.reactor.connect()
    let session = scene.reactor.sessionID
    scene.transport.set(isCancelled ? .held(.step(step)) : .refused(.step(step)))
    let reconnecting = Task { [reactor = scene.reactor] in try await reactor.reconnect() }
    if isCancelled {
      #expect(await eventually { scene.transport.isHolding })
      reconnecting.cancel()
    }
    let error = await failure { try await reconnecting.value }
    #expect(error?.operation == "reconnect")
    #expect(
      error?.code == (isCancelled ? .aborted : step == .transport ? .requestTimeout : .badRequest))
    #expect(scene.reactor.status == .disconnected)
    #expect(scene.reactor.sessionID == session)
    #expect(scene.transport.count(.ending) == 0)
    #expect(await eventually { await scene.runtime.clientCount == 0 })
    #expect(await eventually { scene.errors.count == 1 })
    scene.transport.set(.open)
    try await scene.reactor.reconnect()
    #expect(scene.reactor.status == .ready && scene.reactor.sessionID == session)
    try await scene.reactor.disconnect()
    await scene.finish()
  }

  @Test func `an adopter that fails ends no session`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    let transport = GatedTransport(.refused(.step(.offer)))
    var configuration = ReactorConfiguration()
    configuration.apiURL = scene.runtime.url
    configuration.local = true
    configuration.http = transport
    let second = try Reactor(model: "reactor/echo", tokens: nil, configuration: configuration)
    #expect(await failure { try await second.connect(sessionID: scene.reactor.sessionID) } != nil)
    #expect(transport.count(.ending) == 0)
    #expect(scene.reactor.status == .ready)
    try await scene.reactor.disconnect()
    await scene.finish()
  }
}
