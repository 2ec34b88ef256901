import CSockets
import WireFormat

extension SocketAddress {
  /// The form that the C layer takes.
  var cAddress: reactor_address {
    var result = reactor_address()
    result.port = port
    result.scope_id = scopeID
    result.is_ipv6 = ip.isIPv4 ? 0 : 1
    withUnsafeMutableBytes(of: &result.ip) { storage in
      if ip.isIPv4 {
        storage.storeBytes(of: UInt32(truncatingIfNeeded: ip.low).bigEndian, as: UInt32.self)
      } else {
        storage.storeBytes(of: ip.high.bigEndian, as: UInt64.self)
        storage.storeBytes(of: ip.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
    }
    return result
  }

  init(_ address: reactor_address) {
    let ip = withUnsafeBytes(of: address.ip) { storage in
      if address.is_ipv6 != 0 {
        let high = storage.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let low = storage.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return IPAddress(ipv6High: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
      }
      return IPAddress(ipv4: UInt32(bigEndian: storage.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
    }
    // Only link-local addresses are told apart by their interface.
    self.init(ip: ip, port: address.port, scopeID: ip.isLinkLocal ? address.scope_id : 0)
  }
}
