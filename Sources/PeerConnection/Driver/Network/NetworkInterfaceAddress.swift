import CSockets
import WireFormat

/// One address of one of the machine's interfaces.
package struct NetworkInterfaceAddress: Hashable, Sendable {
  package let name: String
  package let index: UInt32
  package let ip: IPAddress
  package let scopeID: UInt32
  package let isLoopback: Bool
  package let isPointToPoint: Bool

  /// At most this many addresses are looked at; a machine with more has the rest left out.
  static let limit = 256

  /// The addresses of all interfaces that are up. Loopback and link-local ones are included: the caller
  /// decides what to offer.
  package static func current() throws(SocketError) -> [NetworkInterfaceAddress] {
    var raw = [reactor_interface_address](repeating: reactor_interface_address(), count: limit)
    let count = try SocketError.check(reactor_interface_addresses(&raw, Int32(limit)), "getifaddrs")
    return raw.prefix(min(Int(count), limit)).compactMap { entry in
      guard entry.is_up != 0 else { return nil }
      let name = withUnsafeBytes(of: entry.name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let address = SocketAddress(entry.address)
      return NetworkInterfaceAddress(
        name: name, index: entry.index, ip: address.ip, scopeID: address.scopeID,
        isLoopback: entry.is_loopback != 0, isPointToPoint: entry.is_point_to_point != 0)
    }
  }
}
