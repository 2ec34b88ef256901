import Foundation

/// What the system says and does about UDP.
enum NetworkChecks {
  /// Sends a datagram to itself on loopback.
  static func loopback() -> Finding {
    let name = "udp loopback"
    #if canImport(Darwin)
      let datagrams = SOCK_DGRAM
    #else
      let datagrams = Int32(SOCK_DGRAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, datagrams, 0)
    guard descriptor >= 0 else { return Finding(name, .broken, "no UDP socket can be made: \(reason())") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let sent: Int = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(descriptor, generic, length) == 0, getsockname(descriptor, generic, &length) == 0 else {
          return -1
        }
        return sendto(descriptor, "reactor", 7, 0, generic, length)
      }
    }
    guard sent == 7 else {
      return Finding(name, .broken, "a datagram to 127.0.0.1 cannot be sent: \(reason())")
    }
    var buffer = [UInt8](repeating: 0, count: 16)
    guard recv(descriptor, &buffer, buffer.count, 0) == 7 else {
      return Finding(
        name, .broken, "a datagram to 127.0.0.1 does not arrive: a firewall or a sandbox holds it back")
    }
    return Finding(name, .ok, "a datagram to this machine arrives")
  }

  /// The addresses that sessions can use.
  static func interfaces() -> Finding {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else {
      return Finding("interfaces", .broken, "the system does not list its addresses: \(reason())")
    }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var hasOuter = false
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0 else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, !numeric.hasPrefix("fe80") { hasOuter = true }
      found.append("\(String(cString: entry.ifa_name)) \(numeric)")
    }
    guard hasOuter else {
      return Finding(
        "interfaces", .warning,
        "only \(found.joined(separator: ", ")): sessions on this machine work, all others cannot")
    }
    return Finding("interfaces", .ok, found.joined(separator: ", "))
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
