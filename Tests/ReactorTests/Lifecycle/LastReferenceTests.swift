import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

/// The app lets go of its client while a call waits: the call ends as if nothing had happened, and then the client
/// goes, with everything that it held.
@Suite(.serialized) struct LastReferenceTests {
  enum Call: CaseIterable {
    case reconnect, disconnect, command, schema, upload, publish, pause, resume, clip, stats, bitrate
  }

  /// Held by a handler of the client, and so by the client.
  private final class Sentinel: Sendable {
    func touch() {}
  }

  /// What is watched from outside while the client goes.
  private final class Watch: @unchecked Sendable {
    // Set before anything else runs, read afterwards.
    weak var reactor: Reactor?
    weak var sentinel: Sentinel?
    var subscription: Subscription?
  }

  private func client(_ runtime: LocalRuntime, _ transport: GatedTransport, _ watch: Watch) throws -> Reactor
  {
    var configuration = ReactorConfiguration()
    configuration.apiURL = runtime.url
    configuration.local = true
    configuration.http = transport
    let reactor = try Reactor(model: "reactor/echo", tokens: nil, configuration: configuration)
    let sentinel = Sentinel()
    watch.reactor = reactor
    watch.sentinel = sentinel
    // The handler stays registered: only the end of the client can release what it holds.
    watch.subscription = reactor.onStatus { _ in sentinel.touch() }
    return reactor
  }

  /// Nothing of the client is left, here or at the runtime.
  private func checkGone(_ watch: Watch, _ runtime: LocalRuntime) async {
    #expect(await eventually { watch.reactor == nil })
    #expect(await eventually { watch.sentinel == nil })
    #expect(await eventually { await runtime.clientCount == 0 })
  }

  @Test(arguments: AttemptStep.allCases)
  func `during each step of a connect`(step: AttemptStep) async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let transport = GatedTransport(.held(.step(step)))
    let watch = Watch()
    let connecting = try { () -> Task<Void, any Error> in
      let reactor = try client(runtime, transport, watch)
      return Task { try await reactor.connect() }
    }()
    #expect(await eventually { transport.isHolding })
    // Only the call holds the client now.
    #expect(watch.reactor != nil)
    if step == .transport { connecting.cancel() }
    transport.set(.open)
    let error = await failure { try await connecting.value }
    #expect(error?.code == (step == .transport ? .aborted : nil), "\(String(describing: error))")
    await checkGone(watch, runtime)
    await runtime.stop()
  }

  @Test(arguments: Call.allCases)
  func `during each other call`(call: Call) async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let transport = GatedTransport()
    let watch = Watch()
    let running = try await { () -> Task<Void, any Error> in
      let reactor = try client(runtime, transport, watch)
      try await reactor.connect()
      switch call {
      case .disconnect: transport.set(.held(.ending))
      case .reconnect: transport.set(.held(.step(.offer)))
      case .upload: transport.set(.held(.upload))
      default: break
      }
      return Task { try await LastReferenceTests.make(call, reactor) }
    }()
    if [.disconnect, .reconnect, .upload].contains(call) {
      #expect(await eventually { transport.isHolding })
      #expect(watch.reactor != nil)
      transport.set(.open)
    }
    let error = await failure { try await running.value }
    #expect(error?.code == (call == .clip ? .recorderDisabled : nil))
    await checkGone(watch, runtime)
    await runtime.stop()
  }

  private static func make(_ call: Call, _ reactor: Reactor) async throws {
    switch call {
    case .reconnect: try await reactor.reconnect()
    case .disconnect: try await reactor.disconnect()
    case .command:
      try await reactor.sendCommand("echo", ["text": .string(String(repeating: "x", count: 500_000))])
    case .schema: _ = try await reactor.requestSchema()
    case .upload: _ = try await reactor.uploadFile(at: URL(filePath: #filePath))
    case .publish: try await reactor.track("camera").publish()
    case .pause: try await reactor.track("main_video").pause()
    case .resume: try await reactor.track("main_video").resume()
    case .clip: _ = try await reactor.requestClip(.seconds(1))
    case .stats: _ = try await reactor.stats()
    case .bitrate: try await reactor.setBitrate(maxBPS: 500_000)
    }
  }

  @Test func `while ready and idle`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let transport = GatedTransport()
    let watch = Watch()
    let track = try await { () -> Track in
      let reactor = try client(runtime, transport, watch)
      try await reactor.connect()
      return try reactor.track("main_video")
    }()
    await checkGone(watch, runtime)
    // A track holds its client weakly.
    #expect(track.kind == nil && !track.published)
    #expect(await failure { _ = try track.onRawFrame { _ in } }?.code == .invalidState)
    #expect(transport.count(.ending) == 0, "as close, which ends no session")
    await runtime.stop()
  }

  @Test func `while a stream is read, which then ends`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let watch = Watch()
    let (statuses, frames) = try await { () -> (AsyncStream<ReactorStatus>, StreamScope<VideoFrame>) in
      let reactor = try client(runtime, GatedTransport(), watch)
      let streams = (reactor.statusUpdates, try reactor.track("main_video").frameScope())
      try await reactor.connect()
      return streams
    }()
    for await _ in statuses {}
    for try await _ in frames {}
    await checkGone(watch, runtime)
    await runtime.stop()
  }
}
