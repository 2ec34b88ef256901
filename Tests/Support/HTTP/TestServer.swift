import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A request as the test server received it.
package struct ServedRequest: Sendable {
  package var method: String
  /// With the query.
  package var path: String
  /// Names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]
  /// Which connection it came over, counted from 0.
  package var connection: Int

  package var text: String { String(decoding: body, as: UTF8.self) }
}

/// One accepted connection.
package final class ServedConnection: Sendable {
  private let descriptor: CInt
  /// Once released, the number may be another socket's: it must not be shut down any more.
  private let isReleased = Mutex(false)
  package let isOpen = Atomic<Bool>(true)

  package init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// False when the peer is gone.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// A whole answer with a length.
  package func answer(_ status: Int, _ body: String = "", headers: [String: String] = [:]) {
    let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    write("HTTP/1.1 \(status) Text\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")
  }

  package func close() {
    isOpen.store(false, ordering: .relaxed)
    isReleased.withLock { isReleased in
      if !isReleased { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  package func read(into buffer: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return false }
    buffer.append(contentsOf: piece[..<count])
    return true
  }

  package func release() {
    isReleased.withLock { isReleased in
      isReleased = true
      Glibc.close(descriptor)
    }
  }
}

/// A small HTTP/1.1 server on a loopback port: a thread a connection, a handler a request.
package final class TestServer: Sendable {
  package typealias Handler = @Sendable (ServedRequest, ServedConnection) -> Void

  package let port: Int
  private let listener: CInt
  private let handler: Handler
  private let log = Mutex<[ServedRequest]>([])
  private let connections = Mutex<[ServedConnection]>([])
  /// Bodies beyond this are counted, not kept.
  private let keepsBodies: Bool
  package let bodyBytes = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  package init(keepsBodies: Bool = true, _ handler: @escaping Handler) throws {
    self.handler = handler
    self.keepsBodies = keepsBodies
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: CInt = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in acceptLoop() }
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var requests: [ServedRequest] { log.withLock { $0 } }
  package var connectionCount: Int { connections.withLock { $0.count } }

  package func stop() {
    // The accepting thread closes the listener: closed here, its number could be another socket's by then.
    isStopped.store(true, ordering: .relaxed)
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections.withLock({ $0 }) { connection.close() }
  }

  private func acceptLoop() {
    defer { close(listener) }
    while !isStopped.load(ordering: .relaxed) {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let connection = ServedConnection(descriptor: descriptor)
      let number = connections.withLock { list in
        list.append(connection)
        return list.count - 1
      }
      Thread.detachNewThread { [self] in
        serve(connection, number)
        connection.release()
      }
    }
  }

  private func serve(_ connection: ServedConnection, _ number: Int) {
    var buffer: [UInt8] = []
    while connection.isOpen.load(ordering: .relaxed) {
      guard let request = receive(connection, number, &buffer) else { return }
      log.withLock { $0.append(request) }
      handler(request, connection)
    }
  }

  private func receive(
    _ connection: ServedConnection, _ number: Int, _ buffer: inout [UInt8]
  ) -> ServedRequest? {
    let separator = Array("\r\n\r\n".utf8)
    var end: Int?
    while true {
      end = buffer.firstRange(of: separator)?.lowerBound
      if end != nil { break }
      guard connection.read(into: &buffer) else { return nil }
    }
    guard let end else { return nil }
    let head = String(decoding: buffer[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    buffer.removeFirst(end + 4)
    var headers: [String: String] = [:]
    for line in head.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    var body: [UInt8] = []
    var left = Int(headers["content-length"] ?? "0") ?? 0
    while left > 0 {
      if buffer.isEmpty { guard connection.read(into: &buffer) else { return nil } }
      let count = min(left, buffer.count)
      if keepsBodies { body.append(contentsOf: buffer[..<count]) }
      bodyBytes.wrappingAdd(count, ordering: .relaxed)
      buffer.removeFirst(count)
      left -= count
    }
    let words = head[0].split(separator: " ")
    return ServedRequest(
      method: String(words[0]), path: words.count > 1 ? String(words[1]) : "", headers: headers, body: body,
      connection: number)
  }
}
