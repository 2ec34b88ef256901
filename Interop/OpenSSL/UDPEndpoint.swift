import DTLS
import Foundation
import WireFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A blocking loop around one transport and one UDP socket on the loopback address.
final class UDPEndpoint {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let transport: DTLSTransport
  let pool: PacketPool
  let port: UInt16
  private(set) var connection: DTLSConnection?
  private(set) var received: [UInt8] = []
  private(set) var isClosed = false
  private let descriptor: Int32
  private var peer: sockaddr_in?

  init(transport: DTLSTransport, pool: PacketPool, peerPort: UInt16?) throws {
    self.transport = transport
    self.pool = pool
    (descriptor, port) = try Self.bind()
    peer = peerPort.map(Self.loopback)
  }

  deinit {
    close(descriptor)
  }

  /// A port of the loopback address that nobody uses at the moment.
  static func freePort() throws -> UInt16 {
    let (descriptor, port) = try bind()
    close(descriptor)
    return port
  }

  /// Runs the loop until `condition` holds; fails after `seconds`, or when the transport does.
  func run(_ what: String, seconds: Int = 5, until condition: (UDPEndpoint) -> Bool) throws {
    let end = MonotonicClock.now() + .seconds(Int64(seconds))
    while true {
      try drain()
      if condition(self) { return }
      let now = MonotonicClock.now()
      guard now < end else { throw Failure(description: "gave up waiting: \(what)") }
      let wake = min(transport.nextTimeout() ?? .distantFuture, now + .milliseconds(20))
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&event, 1, Int32(max(0, (wake - now).wholeMilliseconds))) > 0 { receive() }
      let later = MonotonicClock.now()
      if let timeout = transport.nextTimeout(), timeout <= later { transport.handleTimeout(at: later) }
    }
  }

  func send(_ text: String) throws {
    try transport.send(Array(text.utf8).rawSpan, at: MonotonicClock.now())
    try drain()
  }

  func finish() throws {
    transport.close(at: MonotonicClock.now())
    try drain()
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var from = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &from) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
      }
    }
    // Port unreachable, while the peer still starts.
    guard count > 0 else { return }
    if peer == nil { peer = from }
    let datagram = bytes.prefix(count)
    transport.handle(datagram.rawSpan, at: MonotonicClock.now())
  }

  private func drain() throws {
    while let buffer = transport.nextTransmit() {
      send(buffer.bytes.copyBytes())
      pool.give(consume buffer)
    }
    while let buffer = transport.nextReceived() {
      received += buffer.bytes.copyBytes()
      pool.give(consume buffer)
    }
    while let event = transport.nextEvent() {
      switch event {
      case .connected(let connection): self.connection = connection
      case .closed: isClosed = true
      case .failed(let error): throw Failure(description: "\(error)")
      }
    }
  }

  private func send(_ datagram: [UInt8]) {
    guard var peer else { return }
    withUnsafePointer(to: &peer) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, datagram, datagram.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func bind() throws -> (Int32, UInt16) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_DGRAM.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        #if canImport(Glibc)
          let bound = Glibc.bind(descriptor, raw, length)
        #else
          let bound = Darwin.bind(descriptor, raw, length)
        #endif
        return bound == 0 ? getsockname(descriptor, raw, &length) : bound
      }
    }
    guard descriptor >= 0, result == 0 else { throw Failure(description: "no UDP socket") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
