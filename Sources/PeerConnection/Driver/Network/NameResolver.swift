import Media
import Synchronization
import WireFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Resolves unicast host names off the network thread: the system's resolver blocks.
package enum NameResolver {
  /// Threads that may wait for the system's resolver at once, in the whole process. A name asked for beyond
  /// that is answered with nothing.
  private static let concurrencyLimit = 8
  private static let running = Mutex(0)

  /// Calls `completion` with the addresses of `name`, on a thread of its own; an empty list when there are
  /// none. An address in text form is answered at once, on the caller's thread.
  package static func resolve(_ name: String, completion: @escaping @Sendable ([IPAddress]) -> Void) {
    if let address = IPAddress(name) {
      completion([address])
      return
    }
    let admitted = running.withLock { count -> Bool in
      guard count < concurrencyLimit else { return false }
      count += 1
      return true
    }
    guard admitted else {
      completion([])
      return
    }
    // Released at once, it detaches: nobody waits for a name.
    _ = WorkerThread(name: "reactor-dns") {
      let addresses = lookUp(name)
      running.withLock { $0 -= 1 }
      completion(addresses)
    }
  }

  private static func lookUp(_ name: String) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Darwin)
      hints.ai_socktype = SOCK_DGRAM
    #else
      hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var result: [IPAddress] = []
    var entry = list
    while let current = entry {
      entry = current.pointee.ai_next
      guard let address = ipAddress(current.pointee), !result.contains(address) else { continue }
      result.append(address)
    }
    return result
  }

  private static func ipAddress(_ info: addrinfo) -> IPAddress? {
    guard let raw = info.ai_addr else { return nil }
    switch info.ai_family {
    case AF_INET:
      return raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
        IPAddress(ipv4: UInt32(bigEndian: four.pointee.sin_addr.s_addr))
      }
    case AF_INET6:
      return raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
        withUnsafeBytes(of: six.pointee.sin6_addr) { bytes in
          IPAddress(
            ipv6High: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
      }
    default: return nil
    }
  }
}
