import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A UDP socket on the loopback address with one peer.
final class UDPEndpoint {
  let port: UInt16
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init() throws {
    (descriptor, port) = try Self.bind()
  }

  deinit {
    close(descriptor)
  }

  static func freePort() throws -> UInt16 {
    let (descriptor, port) = try bind()
    close(descriptor)
    return port
  }

  func connect(to port: UInt16) {
    withAddress(port) { _ = Glibc.connect(descriptor, $0, $1) }
  }

  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, 0)
  }

  func wait(milliseconds: Int32) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&event, 1, milliseconds)
  }

  func receive() -> [UInt8]? {
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count > 0 ? Array(buffer[0..<count]) : nil
  }

  private static func bind() throws -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var size: Int32 = 4 * 1024 * 1024
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
      }
    }
    guard result == 0 else { throw InteropCase.Failure(description: "no UDP port: \(errno)") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  private func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
