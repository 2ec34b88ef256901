import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ports of the loopback interface for servers that are programs of their own, and so cannot be handed an open socket.
///
/// Outside of the range that systems give to sockets without a wish (from 32 768 on): between the look and the server's
/// start, one of the many sockets of tests beside this one would take it now and then.
package enum FreePort {
  private static let range = 20_000..<30_000
  private static let next = Atomic<Int>(Int.random(in: 0..<range.count))

  /// A port that is free for UDP and TCP, and is given to nobody else in this process.
  package static func take() -> UInt16 {
    for _ in range {
      let number = next.wrappingAdd(1, ordering: .relaxed).newValue
      let port = UInt16(range.lowerBound + number % range.count)
      let opened = [open(port, isUDP: true), open(port, isUDP: false)]
      for case let descriptor? in opened { close(descriptor) }
      if !opened.contains(nil) { return port }
    }
    fatalError("no port between \(range.lowerBound) and \(range.upperBound) is free")
  }

  /// A socket bound to this port; nil when it is taken.
  package static func open(_ port: UInt16, isUDP: Bool) -> Int32? {
    #if canImport(Glibc)
      let type = Int32((isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    #else
      let type = isUDP ? SOCK_DGRAM : SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isBound { return descriptor }
    close(descriptor)
    return nil
  }
}
