import CMicroHTTPD
import Synchronization

/// An HTTP/1.1 server over libmicrohttpd, on a thread of its own.
///
/// A library rather than our own parser: HTTP serving is not what this package is for, and libmicrohttpd is
/// small, kept, and in Debian. Handlers are asynchronous: a request whose answer is not there yet is
/// suspended and costs no thread.
final class HTTPServer: Sendable {
  struct Limits: Sendable {
    var connections: UInt32 = 256
    /// A connection without traffic is closed after this.
    var idleSeconds: UInt32 = 120
    /// A longer body is refused with 413.
    var bodyBytes = 256 << 20
  }

  struct StartError: Error, CustomStringConvertible {
    let port: UInt16
    var description: String { "cannot listen on port \(port): it is taken, or not allowed" }
  }

  typealias Handler = @Sendable (HTTPServerRequest) async -> HTTPServerResponse

  /// The port it listens on; the system's choice when started with 0.
  let port: UInt16
  private let core: Core

  /// Listens on `address` (IPv4, host order; loopback by default).
  init(
    address: UInt32 = 0x7F00_0001, port: UInt16, limits: Limits = Limits(), handler: @escaping Handler
  ) throws(StartError) {
    core = Core(limits: limits, handler: handler)
    let context = Unmanaged.passUnretained(core).toOpaque()
    guard
      let daemon = reactor_mhd_start(
        address, port, limits.connections, limits.idleSeconds,
        { context, connection, url, method, _, data, size, state in
          guard let context, let connection, let url, let method, let size, let state else {
            return reactor_mhd_no
          }
          return Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
            .access(connection, url: url, method: method, data: data, size: size, state: state)
        }, context,
        { _, _, state, _ in
          guard let pointer = state?.pointee else { return }
          Unmanaged<PendingExchange>.fromOpaque(pointer).takeRetainedValue().end()
          state?.pointee = nil
        })
    else { throw StartError(port: port) }
    core.daemon.withLock { $0 = LibraryObject(pointer: daemon) }
    self.port = reactor_mhd_port(daemon)
  }

  /// Closes all connections and the port. Handlers that still run answer nobody. Idempotent.
  func stop() {
    core.stop()
  }

  deinit {
    core.stop()
  }
}

// MHD's objects may be used from any thread. A daemon is stopped once, when it leaves its mutex; a connection
// is used under its exchange's lock only, and forgotten when MHD says that it has ended.
private struct LibraryObject: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// What the C callbacks see.
private final class Core: Sendable {
  let limits: HTTPServer.Limits
  let handler: HTTPServer.Handler
  let daemon = Mutex<LibraryObject?>(nil)
  private let suspended = Mutex<[ObjectIdentifier: PendingExchange]>([:])

  init(limits: HTTPServer.Limits, handler: @escaping HTTPServer.Handler) {
    self.limits = limits
    self.handler = handler
  }

  func stop() {
    guard
      let running = daemon.withLock({ daemon in
        defer { daemon = nil }
        return daemon
      })
    else { return }
    // MHD refuses to stop while a connection is suspended.
    let waiting = suspended.withLock { table in
      defer { table.removeAll() }
      return Array(table.values)
    }
    for exchange in waiting { exchange.answer(HTTPServerResponse(status: 503)) }
    MHD_stop_daemon(running.pointer)
  }

  func access(
    _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
    data: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let pointer = state.pointee else {
      let exchange = PendingExchange(
        method: String(cString: method), path: String(cString: url),
        query: values(of: connection, reactor_mhd_argument_kind),
        headers: values(of: connection, reactor_mhd_header_kind), connection: connection)
      state.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return reactor_mhd_yes
    }
    let exchange = Unmanaged<PendingExchange>.fromOpaque(pointer).takeUnretainedValue()
    if size.pointee > 0 {
      if let data {
        exchange.append(UnsafeRawBufferPointer(start: data, count: size.pointee), limit: limits.bodyBytes)
      }
      size.pointee = 0
      return reactor_mhd_yes
    }
    if let response = exchange.takeAnswer() { return queue(response, on: connection) }
    guard let request = exchange.request else {
      return queue(HTTPServerResponse(status: 413), on: connection)
    }
    let key = ObjectIdentifier(exchange)
    let isRunning = daemon.withLock { $0 != nil }
    guard isRunning else { return reactor_mhd_no }
    exchange.suspend()
    suspended.withLock { $0[key] = exchange }
    Task { [handler] in
      let response = await handler(request)
      self.suspended.withLock { $0[key] = nil }
      exchange.answer(response)
    }
    return reactor_mhd_yes
  }

  private func queue(_ answer: HTTPServerResponse, on connection: OpaquePointer) -> MHD_Result {
    let response = answer.body.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), reactor_mhd_must_copy)
    }
    guard let response else { return reactor_mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  private func values(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    let collected = Collected()
    MHD_get_connection_values(
      connection, kind,
      { context, kind, name, value in
        guard let context, let name else { return reactor_mhd_yes }
        let collected = Unmanaged<Collected>.fromOpaque(context).takeUnretainedValue()
        let key = String(cString: name)
        collected.values[kind == reactor_mhd_header_kind ? key.lowercased() : key] =
          value.map { String(cString: $0) } ?? ""
        return reactor_mhd_yes
      }, Unmanaged.passUnretained(collected).toOpaque())
    return collected.values
  }

  private final class Collected {
    var values: [String: String] = [:]
  }
}

/// One request from its first header to its answer.
private final class PendingExchange: Sendable {
  private struct State {
    var body: [UInt8] = []
    var isTooLong = false
    var isSuspended = false
    var answer: HTTPServerResponse?
    var connection: LibraryObject?
  }

  private let method: String
  private let path: String
  private let query: [String: String]
  private let headers: [String: String]
  private let state: Mutex<State>

  init(
    method: String, path: String, query: [String: String], headers: [String: String],
    connection: OpaquePointer
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    let connection = LibraryObject(pointer: connection)
    state = Mutex(State(connection: connection))
  }

  func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
    state.withLock { state in
      guard !state.isTooLong, state.body.count + bytes.count <= limit else {
        state.isTooLong = true
        state.body = []
        return
      }
      state.body.append(contentsOf: bytes)
    }
  }

  /// nil when the body was too long.
  var request: HTTPServerRequest? {
    state.withLock { state in
      guard !state.isTooLong else { return nil }
      defer { state.body = [] }
      return HTTPServerRequest(method: method, path: path, query: query, headers: headers, body: state.body)
    }
  }

  func suspend() {
    state.withLock { state in
      guard let connection = state.connection else { return }
      state.isSuspended = true
      MHD_suspend_connection(connection.pointer)
    }
  }

  func answer(_ response: HTTPServerResponse) {
    state.withLock { state in
      guard state.isSuspended, let connection = state.connection else { return }
      state.answer = response
      state.isSuspended = false
      MHD_resume_connection(connection.pointer)
    }
  }

  func takeAnswer() -> HTTPServerResponse? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  func end() {
    state.withLock { $0.connection = nil }
  }
}
