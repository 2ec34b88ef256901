import Foundation
import ReactorTypes
import Signaling
import Synchronization
import WireFormat

/// Answers from a script, without a network; remembers what it was asked.
final class StubTransport: HTTPTransport {
  enum Reply: Sendable {
    case answer(Int, String = "", [String: String] = [:])
    case failure(TransportFailure)
    /// A head, then a body that breaks.
    case broken(Int, String)
  }

  typealias Script = @Sendable (HTTPRequest, Int) -> Reply

  private let script: Script
  private let log = Mutex<[HTTPRequest]>([])
  private let clock: VirtualClock?
  private let times = Mutex<[Instant]>([])

  init(clock: VirtualClock? = nil, _ script: @escaping Script) {
    self.script = script
    self.clock = clock
  }

  var requests: [HTTPRequest] { log.withLock { $0 } }
  /// When each request was made, on the virtual clock.
  var moments: [Instant] { times.withLock { $0 } }

  func send(_ request: HTTPRequest, timeout: Duration) async throws -> (HTTPResponse, StreamScope<Data>) {
    let number = log.withLock { log in
      log.append(request)
      return log.count - 1
    }
    if let clock { times.withLock { $0.append(clock.now()) } }
    switch script(request, number) {
    case .failure(let failure): throw failure
    case .answer(let status, let body, let headers):
      return (HTTPResponse(status: status, headers: headers), StubTransport.body([Data(body.utf8)], nil))
    case .broken(let status, let body):
      return (
        HTTPResponse(status: status, headers: [:]),
        StubTransport.body([Data(body.utf8)], TransportFailure.connectionLost(sent: true))
      )
    }
  }

  func upload(_ request: HTTPRequest, file: URL, timeout: Duration) async throws -> HTTPResponse {
    var request = request
    request.body = try Data(contentsOf: file)
    return try await send(request, timeout: timeout).0
  }

  static func body(_ chunks: [Data], _ failure: TransportFailure?) -> StreamScope<Data> {
    let source = StreamSource<Data>(capacity: 100)
    for chunk in chunks where !chunk.isEmpty { source.yield(chunk) }
    source.finish(throwing: failure)
    return source.scope()
  }
}

/// Time that moves when somebody sleeps, at once.
final class VirtualClock: SignalingClock {
  private let state = Mutex((now: Instant.origin, sleeps: [Interval]()))
  /// A sleep that does not end by itself, for tests that end it from outside.
  let isFrozen = Atomic<Bool>(false)

  func now() -> Instant { state.withLock { $0.now } }
  var sleeps: [Interval] { state.withLock { $0.sleeps } }

  func advance(_ interval: Interval) { state.withLock { $0.now = $0.now + interval } }

  func sleep(until deadline: Instant) async throws {
    if isFrozen.load(ordering: .relaxed) || deadline == .distantFuture {
      try await Task.sleep(for: .seconds(3600))
    }
    state.withLock { state in
      state.sleeps.append(deadline - state.now)
      state.now = max(state.now, deadline)
    }
  }

  func unixMilliseconds() -> Double { 1_796_000_000_000 + now().nanoseconds.magnitude.doubleMilliseconds }
}

extension UInt64 {
  fileprivate var doubleMilliseconds: Double { Double(self) / 1e6 }
}

/// A switch that is a connectivity monitor and an app lifecycle.
final class Switch: ConnectivityMonitor, AppLifecycle {
  private let state: Mutex<(isOn: Bool, listeners: [AsyncStream<Bool>.Continuation])>
  let subscribed = AsyncStream<Void>.makeStream()

  init(_ isOn: Bool) { state = Mutex((isOn, [])) }

  var isOnline: Bool { state.withLock { $0.isOn } }
  var isForeground: Bool { isOnline }

  var changes: AsyncStream<Bool> {
    AsyncStream { continuation in
      state.withLock { $0.listeners.append(continuation) }
      subscribed.continuation.yield()
    }
  }

  func set(_ isOn: Bool) {
    let listeners = state.withLock { state in
      state.isOn = isOn
      return state.listeners
    }
    for listener in listeners { listener.yield(isOn) }
  }
}

func makeClient(
  _ transport: any HTTPTransport, local: Bool = false, url: String? = nil, tokens: (any TokenStore)? = nil,
  fallback: String? = "fallback-token", defaults: RequestOptions = RequestOptions(),
  clock: VirtualClock = VirtualClock(), connectivity: (any ConnectivityMonitor)? = nil,
  lifecycle: (any AppLifecycle)? = nil
) throws -> SignalingClient {
  guard let endpoint = Endpoint(apiURL: url ?? "https://api.test/", isLocal: local) else {
    throw URLError(.badURL)
  }
  return SignalingClient(
    endpoint: endpoint, model: "acme/world", transport: transport, tokens: tokens, fallbackToken: fallback,
    defaults: defaults, connectivity: connectivity, lifecycle: lifecycle, clock: clock,
    random: RandomSource(seed: 1))
}
