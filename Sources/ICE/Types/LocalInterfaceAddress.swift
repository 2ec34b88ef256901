import WireFormat

/// An address of a network interface, and the UDP socket that the driver bound there.
package struct LocalInterfaceAddress: Hashable, Sendable {
  /// What the interface is; cheaper and faster ones are preferred in this order. Loopback comes last: a peer on this
  /// machine mostly has the other addresses too, and where it has not (libwebrtc offers none on loopback), its checks
  /// begin with our best candidate and reach the next one 50 ms later.
  package enum Kind: UInt16, Sendable, Hashable {
    case ethernet = 0
    case wifi = 1
    case unknown = 2
    case cellular = 3
    case vpn = 4
    case loopback = 5
  }

  /// Port 0 before the socket is bound.
  package var bound: SocketAddress
  package var interfaceName: String
  /// The system's interface index; 0 when unknown.
  package var index: UInt32
  package var kind: Kind
  package var isUp: Bool
  /// An IPv6 privacy address (RFC 8981).
  package var isTemporary: Bool
  /// An IPv6 address past its preferred lifetime.
  package var isDeprecated: Bool

  package init(
    bound: SocketAddress, interfaceName: String = "", index: UInt32 = 0, kind: Kind = .unknown,
    isUp: Bool = true, isTemporary: Bool = false, isDeprecated: Bool = false
  ) {
    self.bound = bound
    self.interfaceName = interfaceName
    self.index = index
    self.kind = kind
    self.isUp = isUp
    self.isTemporary = isTemporary
    self.isDeprecated = isDeprecated
  }

  /// The addresses worth a socket, best first (RFC 8445 section 5.1.1.1, RFC 8421).
  ///
  /// Left out: interfaces that are down, loopback (unless it is allowed), multicast, unspecified, mapped and
  /// deprecated addresses; link-local ones where the family has others; permanent IPv6 addresses beside a
  /// temporary one of the same interface and prefix.
  package static func usable(
    _ addresses: [LocalInterfaceAddress], allowLoopback: Bool = false
  ) -> [LocalInterfaceAddress] {
    let candidates = addresses.filter { address in
      let ip = address.bound.ip
      return address.isUp && !ip.isUnspecified && !ip.isMulticast && !ip.isIPv4Mapped
        && (allowLoopback || !ip.isLoopback)
    }
    func isRoutable(_ address: LocalInterfaceAddress) -> Bool {
      !address.bound.ip.isLinkLocal && !address.bound.ip.isLoopback
    }
    let kept = candidates.filter { address in
      let ip = address.bound.ip
      if ip.isLinkLocal {
        return !candidates.contains { $0.bound.ip.family == ip.family && isRoutable($0) }
      }
      if address.isDeprecated { return !candidates.contains { isRoutable($0) && !$0.isDeprecated } }
      guard !ip.isIPv4, !address.isTemporary else { return true }
      return !candidates.contains {
        $0.isTemporary && !$0.isDeprecated && $0.interfaceName == address.interfaceName
          && $0.index == address.index && $0.bound.ip.high == ip.high
      }
    }
    return kept.enumerated().sorted {
      ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
    }.map(\.element)
  }
}
