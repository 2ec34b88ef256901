import PeerConnection
import ReactorTypes
import Synchronization

/// A runtime in this process: it answers the platform's HTTP and WebRTC protocol and serves one model, to any
/// number of clients.
///
/// ```swift
/// let runtime = try LocalRuntime(model: EchoModel())
/// let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
/// try await reactor.connect()
/// ```
///
/// For demos and test suites: it has no authentication, and listens on loopback unless told otherwise. It
/// records nothing, so that clip requests are refused with `ReactorError.recorderDisabled`, and takes no
/// stepped sessions. All members may be used from any thread. Keep it for as long as it is to run, and end it with
/// ``stop()``.
public final class LocalRuntime: Sendable {
  private let host: RuntimeHost
  private let server: HTTPServer
  private let loop: NetworkLoop
  private let isStopped = Mutex(false)

  /// Starts it: when this returns, the port is open.
  ///
  /// - Parameters:
  ///   - model: what the session of this runtime runs.
  ///   - configuration: how it listens, and what it does wrong.
  ///
  /// Throws `ReactorError.invalidState` when the port is taken.
  public init(
    model: any LocalModel, configuration: LocalRuntimeConfiguration = LocalRuntimeConfiguration()
  ) throws {
    WarmUp.begin()
    do {
      let loop = try NetworkLoop(name: "reactor-runtime")
      let host = RuntimeHost(model: model, configuration: configuration, loop: loop)
      let routes = RuntimeRoutes(host: host)
      self.loop = loop
      self.host = host
      server = try HTTPServer(
        address: configuration.listensOnAllInterfaces ? 0 : 0x7F00_0001, port: configuration.port
      ) { request in await routes.handle(request) }
    } catch let error as HTTPServer.StartError {
      throw ReactorError(.invalidState, error.description)
    } catch {
      throw ReactorError(.internalError, "\(error)")
    }
  }

  /// The port it listens on.
  public var port: UInt16 { server.port }

  /// Where clients of this machine find it.
  public var url: String { "http://127.0.0.1:\(server.port)" }

  /// How many clients are connected.
  public var clientCount: Int {
    get async { await host.clients.count }
  }

  /// Ends the session with a reason that the clients are told; nil: without a word.
  public func endSession(reason: String? = nil) async {
    try? await host.stop(reason: reason)
  }

  /// Ends the session as a moderator does.
  public func moderate() async {
    try? await host.stop(reason: nil, isModeration: true)
  }

  /// Changes what it does wrong from now on.
  public func setFaults(_ faults: LocalRuntimeConfiguration.Faults) async {
    await host.setFaults(faults)
  }

  /// Drops all connections without a word, as a machine does that loses its power.
  public func dropConnections() async {
    await host.vanish()
  }

  /// Sends every client bytes that are no message.
  public func sendGarbage() async {
    await host.sendGarbage()
  }

  /// Ends the session, tells the clients, and closes the port. Idempotent.
  public func stop() async {
    let isFirst = isStopped.withLock { stopped in
      defer { stopped = true }
      return !stopped
    }
    guard isFirst else { return }
    await host.terminate()
    server.stop()
    loop.stop()
  }
}
