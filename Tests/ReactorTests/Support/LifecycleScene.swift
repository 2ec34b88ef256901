import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

/// A client with a runtime of its own, brought to one of the columns of the lifecycle's table.
final class LifecycleScene: Sendable {
  let runtime: LocalRuntime
  let transport: GatedTransport
  let reactor: Reactor
  let statuses = Log<ReactorStatus>()
  let errors = Log<ReactorError>()
  private let subscriptions: [Subscription]

  init(_ gate: GatedTransport.Gate = .open, readyTimeout: Duration = .seconds(30)) throws {
    runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    transport = GatedTransport(gate)
    var configuration = ReactorConfiguration()
    configuration.apiURL = runtime.url
    configuration.local = true
    configuration.http = transport
    configuration.readyTimeout = readyTimeout
    configuration.requests.retry = RetryPolicy.none
    reactor = try Reactor(model: "reactor/echo", tokens: nil, configuration: configuration)
    subscriptions = [
      reactor.onStatus { [statuses] in statuses.add($0) }, reactor.onError { [errors] in errors.add($0) },
    ]
  }

  /// What is under way when the column is reached, to be awaited by the test.
  func enter(_ column: LifecycleColumn) async throws -> Task<Void, any Error>? {
    let underWay = try await approach(column)
    // Events come a moment later than what they tell.
    let (statuses, reactor) = (statuses, reactor)
    #expect(await eventually { (statuses.all.last ?? .disconnected) == reactor.status })
    return underWay
  }

  private func approach(_ column: LifecycleColumn) async throws -> Task<Void, any Error>? {
    switch column {
    case .unconnected: return nil
    case .dropped:
      try await reactor.connect()
      await runtime.endSession(reason: "dropped by the test")
      #expect(await eventually { self.reactor.status == .disconnected })
      #expect(reactor.sessionID != nil)
      return nil
    case .connecting:
      transport.set(.held(.step(.answer)))
      let connecting = Task { [reactor] in try await reactor.connect() }
      #expect(await eventually { self.transport.isHolding })
      return connecting
    case .ready:
      try await reactor.connect()
      return nil
    case .disconnecting:
      try await reactor.connect()
      transport.set(.held(.ending))
      let ending = Task { [reactor] in try await reactor.disconnect() }
      #expect(await eventually { self.transport.isHolding })
      return ending
    case .closed:
      reactor.close()
      return nil
    }
  }

  /// The state that the runtime's one session is in: `ready` when none runs.
  func runtimeState() async throws -> String? {
    guard let url = URL(string: runtime.url + "/session") else { return nil }
    let plain = GatedTransport()
    let (_, body) = try await plain.send(HTTPRequest(method: "GET", url: url), timeout: .seconds(10))
    var whole = Data()
    for try await chunk in body { whole.append(chunk) }
    return try JSONDecoder().decode(JSONValue.self, from: whole)["state"]?.stringValue
  }

  func finish() async {
    transport.set(.open)
    reactor.close()
    await runtime.stop()
  }
}

/// What the body threw, as an error of this SDK.
func failure(_ body: () async throws -> Void) async -> ReactorError? {
  do {
    try await body()
    return nil
  } catch let error as ReactorError {
    return error
  } catch {
    Issue.record("not a ReactorError: \(error)")
    return nil
  }
}
