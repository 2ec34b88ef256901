import Foundation
import Reactor
import ReactorLocalRuntime
import Synchronization
import Testing

/// `close()` from inside any code of the app that the SDK calls: it returns, and is as final as anywhere else.
@Suite(.serialized) struct CloseInsideHandlerTests {
  enum Handler: CaseIterable {
    case status, error, message, runtimeMessage, track, capabilities, sessionID
    case videoFrame, rawFrame, audioFrame
    case statusStream, messageScope, frameScope
    case tokenStore, transport, connectivity
  }

  /// Closes the client the first time that it is told to.
  private final class Closer: Sendable {
    private let target = Mutex<Reactor?>(nil)
    private let calls = Mutex(0)

    func aim(at reactor: Reactor) { target.withLock { $0 = reactor } }
    var hasClosed: Bool { calls.withLock { $0 } > 0 }

    func fire() {
      guard let reactor = target.withLock({ $0 }) else { return }
      reactor.close()
      // Again, as a handler may well be called twice.
      reactor.close()
      calls.withLock { $0 += 1 }
    }

    func release() { target.withLock { $0 = nil } }
  }

  private struct ClosingStore: TokenStore {
    let closer: Closer
    func token(for context: TokenContext) async throws -> String? {
      closer.fire()
      return nil
    }
    func invalidate(_ token: String, for context: TokenContext) async {}
  }

  private struct ClosingTransport: HTTPTransport {
    let closer: Closer
    func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
      closer.fire()
      throw CancellationError()
    }
    func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
      throw CancellationError()
    }
  }

  private struct ClosingMonitor: ConnectivityMonitor {
    let closer: Closer
    var isOnline: Bool {
      closer.fire()
      return true
    }
    var changes: AsyncStream<Bool> { AsyncStream { $0.finish() } }
  }

  @Test(arguments: Handler.allCases)
  func `closing inside a handler returns and is final`(handler: Handler) async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let closer = Closer()
    var configuration = ReactorConfiguration()
    configuration.apiURL = runtime.url
    configuration.local = true
    var tokens: (any TokenStore)?
    switch handler {
    case .tokenStore:
      // A local runtime is asked nothing of the kind; nobody listens at this address.
      configuration.local = false
      configuration.apiURL = "http://127.0.0.1:9"
      tokens = ClosingStore(closer: closer)
    case .transport: configuration.http = ClosingTransport(closer: closer)
    case .connectivity: configuration.connectivity = ClosingMonitor(closer: closer)
    default: break
    }
    let reactor = try Reactor(model: "reactor/echo", tokens: tokens, configuration: configuration)
    closer.aim(at: reactor)
    var subscriptions: [Subscription] = []
    var readers: [Task<Void, Never>] = []
    let track = try reactor.track("main_video")
    switch handler {
    case .status: subscriptions.append(reactor.onStatus { if $0 == .waiting { closer.fire() } })
    case .error: subscriptions.append(reactor.onError { _ in closer.fire() })
    case .message: subscriptions.append(reactor.onMessage { _ in closer.fire() })
    case .runtimeMessage: subscriptions.append(reactor.onRuntimeMessage { _ in closer.fire() })
    case .track: subscriptions.append(reactor.onTrack { _ in closer.fire() })
    case .capabilities: subscriptions.append(reactor.onCapabilities { _ in closer.fire() })
    case .sessionID: subscriptions.append(reactor.onSessionID { _ in closer.fire() })
    case .videoFrame: subscriptions.append(try track.onFrame { _ in closer.fire() })
    case .rawFrame: subscriptions.append(try track.onRawFrame { _ in closer.fire() })
    case .audioFrame:
      subscriptions.append(
        try reactor.track("main_audio").onFrame { (_: AudioFrame) in closer.fire() })
    case .statusStream:
      let updates = reactor.statusUpdates
      readers.append(Task { for await status in updates where status == .ready { closer.fire() } })
    case .messageScope:
      let scope = reactor.messageScope()
      readers.append(Task { while (try? await scope.first { _ in true }) != nil { closer.fire() } })
    case .frameScope:
      let scope = try track.frameScope()
      readers.append(Task { while (try? await scope.first { _ in true }) != nil { closer.fire() } })
    case .tokenStore, .transport, .connectivity: break
    }

    let error = await failure {
      try await reactor.connect()
      switch handler {
      case .error, .runtimeMessage: await runtime.endSession(reason: "over")
      case .message, .messageScope: _ = try await reactor.sendCommand("echo", ["text": "x"])
      default: break
      }
    }
    #expect(await eventually { closer.hasClosed })
    #expect(error == nil || error?.code == .aborted || error?.code == .invalidState)
    #expect(reactor.isClosed && reactor.status == .disconnected && reactor.sessionID == nil)
    #expect(await eventually { await runtime.clientCount == 0 })
    #expect(await failure { try await reactor.connect() }?.code == .invalidState)
    // Streams end with their client, so that nobody waits for ever.
    for reader in readers { await reader.value }
    closer.release()
    withExtendedLifetime(subscriptions) {}
    await runtime.stop()
  }

  @Test func `closing inside an upload's transport aborts the upload`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    scene.transport.set(.held(.upload))
    let upload = Task { [reactor = scene.reactor] in
      _ = try await reactor.uploadFile(at: URL(filePath: #filePath))
    }
    #expect(await eventually { scene.transport.isHolding })
    scene.reactor.close()
    #expect(await failure { try await upload.value }?.code == .aborted)
    await scene.finish()
  }

  @Test func `disconnecting settles an upload under way`() async throws {
    let scene = try LifecycleScene()
    try await scene.reactor.connect()
    scene.transport.set(.held(.upload))
    let upload = Task { [reactor = scene.reactor] in
      _ = try await reactor.uploadFile(at: URL(filePath: #filePath))
    }
    #expect(await eventually { scene.transport.isHolding })
    try await scene.reactor.disconnect()
    #expect(await failure { try await upload.value }?.code == .disconnected)
    await scene.finish()
  }
}
