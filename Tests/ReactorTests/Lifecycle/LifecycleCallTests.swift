import Reactor
import Testing

/// Each call in each state does what the lifecycle's table says.
@Suite(.serialized) struct LifecycleCallTests {
  struct Cell: CustomTestStringConvertible {
    let input: LifecycleInput
    let column: LifecycleColumn

    var reaction: LifecycleReaction { LifecycleTable.reaction(to: input, in: column) }
    var testDescription: String { "\(input) in \(column): \(reaction)" }

    static func row(_ inputs: LifecycleInput...) -> [Cell] {
      inputs.flatMap { input in LifecycleColumn.allCases.map { Cell(input: input, column: $0) } }
    }
  }

  /// Makes the call of a row.
  private func call(_ input: LifecycleInput, _ reactor: Reactor) async throws {
    switch input {
    case .connect: try await reactor.connect()
    case .reconnect: try await reactor.reconnect()
    case .disconnect: try await reactor.disconnect()
    case .close: reactor.close()
    case .request: _ = try await reactor.sendCommand("echo", ["text": "x"])
    case .registration:
      _ = try reactor.track("main_video").onRawFrame { _ in }
      try await reactor.track("camera").setBitrate(maxBPS: 1_000_000)
      try await reactor.setBitrate(maxBPS: 1_000_000)
    case .attemptSucceeded, .attemptFailed, .connectionLost, .sessionEnded:
      Issue.record("\(input) is no call")
    }
  }

  @Test(arguments: Cell.row(.connect, .reconnect))
  func `connects and reconnects`(cell: Cell) async throws {
    let scene = try LifecycleScene()
    let underWay = try await scene.enter(cell.column)
    let before = scene.statuses.count
    let error = await failure { try await call(cell.input, scene.reactor) }
    switch cell.reaction {
    case .refuses:
      #expect(error?.code == .invalidState)
      #expect(scene.statuses.count == before)
    case .begins where cell.input == .reconnect:
      // The runtime has ended the session, so that what begins fails, and keeps what there is.
      #expect(error != nil && error?.code != .invalidState)
      #expect(scene.reactor.sessionID != nil)
      #expect(await eventually { scene.statuses.all.dropFirst(before).first == .connecting })
    case .begins:
      #expect(error == nil)
      #expect(
        await eventually { scene.statuses.all.dropFirst(before) == [.connecting, .waiting, .ready] })
    case .cyclesConnection:
      #expect(error == nil)
      #expect(
        await eventually {
          scene.statuses.all.dropFirst(before) == [.disconnected, .connecting, .waiting, .ready]
        })
    default: Issue.record("\(cell.reaction) is not what a connect can do")
    }
    underWay?.cancel()
    await scene.finish()
  }

  @Test(arguments: Cell.row(.disconnect))
  func `disconnects`(cell: Cell) async throws {
    let scene = try LifecycleScene()
    let underWay = try await scene.enter(cell.column)
    let endings = scene.transport.count(.ending)
    if cell.reaction == .waits {
      let second = Task { [reactor = scene.reactor] in try await reactor.disconnect() }
      scene.transport.set(.open)
      try await second.value
      try await underWay?.value
      #expect(scene.transport.count(.ending) == 1, "one end is enough for two callers")
    } else {
      let error = await failure { try await call(.disconnect, scene.reactor) }
      switch cell.reaction {
      case .refuses: #expect(error?.code == .invalidState)
      case .nothing:
        #expect(error == nil && scene.statuses.count == 0)
        #expect(scene.transport.count(.ending) == endings)
      case .endsSession, .leaves:
        #expect(error == nil)
        #expect(scene.transport.count(.ending) == endings + 1)
      case .cancelsAttempt:
        #expect(error == nil)
        #expect(await failure { try await underWay?.value }?.code == .aborted)
        #expect(try await scene.runtimeState() == "ready")
      default: Issue.record("\(cell.reaction) is not what a disconnect can do")
      }
    }
    #expect(scene.reactor.status == .disconnected)
    #expect(scene.reactor.sessionID == nil)
    #expect(await eventually { await scene.runtime.clientCount == 0 })
    await scene.finish()
  }

  @Test(arguments: Cell.row(.close))
  func `closes`(cell: Cell) async throws {
    let scene = try LifecycleScene()
    let underWay = try await scene.enter(cell.column)
    let errors = scene.errors.count
    scene.reactor.close()
    #expect(scene.reactor.isClosed)
    #expect(scene.reactor.status == .disconnected)
    #expect(scene.reactor.sessionID == nil)
    #expect(scene.reactor.tracks.isEmpty)
    switch cell.reaction {
    case .cancelsAndCloses: #expect(await failure { try await underWay?.value }?.code == .aborted)
    case .closes where cell.column == .disconnecting:
      scene.transport.set(.open)
      #expect(await failure { try await underWay?.value } == nil)
    case .disconnectsAndCloses: #expect(try await scene.runtimeState() != "ready", "close ends no session")
    case .closes, .nothing: break
    default: Issue.record("\(cell.reaction) is not what a close can do")
    }
    #expect(await eventually { await scene.runtime.clientCount == 0 })
    #expect(scene.errors.count == errors, "closing is no failure")
    await scene.finish()
  }

  @Test(arguments: Cell.row(.request, .registration))
  func `requests and registrations go or are refused`(cell: Cell) async throws {
    let scene = try LifecycleScene()
    let underWay = try await scene.enter(cell.column)
    let before = scene.reactor.status
    let error = await failure { try await call(cell.input, scene.reactor) }
    switch cell.reaction {
    case .goes: #expect(error == nil)
    case .refuses: #expect(error?.code == .invalidState)
    default: Issue.record("\(cell.reaction) is not what such a call can do")
    }
    #expect(scene.reactor.status == before)
    underWay?.cancel()
    await scene.finish()
  }

  /// Every request is held by the same row of the table.
  @Test func `every request is refused while disconnected, and says what to do`() async throws {
    let scene = try LifecycleScene()
    let (reactor, track) = (scene.reactor, try scene.reactor.track("camera"))
    let calls: [@Sendable () async throws -> Void] = [
      { try await reactor.sendCommand("echo") },
      { try await reactor.sendCommand("echo", arguments: ["text": "x"]) },
      { _ = try await reactor.requestSchema() },
      { _ = try await reactor.uploadData(.init([1]), name: "a", mimeType: "b/c") },
      { _ = try await reactor.uploadFile(at: .init(filePath: "/etc/hostname")) },
      { _ = try await reactor.requestClip(.seconds(1)) }, { _ = try await reactor.requestRecording() },
      { _ = try await reactor.stats() }, { try await track.publish() }, { try track.unpublish() },
      { try await track.pause() }, { try await track.resume() },
      { try track.pushFrame([0, 0]) },
    ]
    for call in calls {
      let error = await failure(call)
      #expect(error?.code == .invalidState)
      #expect(error?.operation != nil)
      #expect(error?.message.contains("connect") == true)
    }
    #expect(scene.errors.count == 0)
    await scene.finish()
  }
}
