import WireFormat

/// An address under which an agent may be reached: the fields of a candidate attribute (RFC 8839 section 5.1).
package struct ICECandidate: Hashable, Sendable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case host = "host"
    case serverReflexive = "srflx"
    case peerReflexive = "prflx"
    case relayed = "relay"
  }

  package enum Transport: String, Sendable, Hashable {
    case udp = "udp"
    case tcp = "tcp"
  }

  package enum TCPType: String, Sendable, Hashable {
    case active = "active"
    case passive = "passive"
    case simultaneousOpen = "so"
  }

  package var foundation: String
  package var component: Int
  package var transport: Transport
  package var priority: UInt32
  /// nil for a candidate whose host is still a name.
  package var address: IPAddress?
  package var port: UInt16
  package var kind: Kind
  /// Base, or for a relayed candidate the mapped address.
  package var relatedAddress: SocketAddress?
  package var tcpType: TCPType?
  /// A name in place of an address: `….local` (mDNS) or a fully qualified one.
  package var hostname: String?
  /// The `ufrag` extension: which generation a trickled candidate belongs to; nil: the current one.
  package var ufrag: String?

  package init(
    foundation: String, component: Int = 1, transport: Transport = .udp, priority: UInt32,
    address: IPAddress?, port: UInt16, kind: Kind, relatedAddress: SocketAddress? = nil,
    tcpType: TCPType? = nil, hostname: String? = nil, ufrag: String? = nil
  ) {
    self.foundation = foundation
    self.component = component
    self.transport = transport
    self.priority = priority
    self.address = address
    self.port = port
    self.kind = kind
    self.relatedAddress = relatedAddress
    self.tcpType = tcpType
    self.hostname = hostname
    self.ufrag = ufrag
  }

  /// nil while the host is a name.
  package var socketAddress: SocketAddress? {
    address.map { SocketAddress(ip: $0, port: port) }
  }
}
