import WireFormat

/// Where a candidate's datagrams really leave from (RFC 8445 "base"): a socket, or an allocation on a server.
final class CandidateBase {
  enum Kind {
    case socket(LocalInterfaceAddress)
    case relay(TURNClient)
  }

  let number: Int
  let kind: Kind
  /// The bound address, or the relayed one.
  let address: SocketAddress
  /// False once the interface or the allocation is gone.
  private(set) var isOpen = true

  init(number: Int, socket: LocalInterfaceAddress) {
    self.number = number
    kind = .socket(socket)
    address = socket.bound
  }

  init(number: Int, relay: TURNClient, address: SocketAddress) {
    self.number = number
    kind = .relay(relay)
    self.address = address
  }

  func close() {
    isOpen = false
  }

  var isRelay: Bool { if case .relay = kind { true } else { false } }

  /// The address with the scope that datagrams at this base carry: a link-local one belongs to the interface.
  func scoped(_ remote: SocketAddress) -> SocketAddress {
    var result = remote
    result.scopeID = remote.ip.isLinkLocal && !remote.ip.isIPv4 ? address.scopeID : 0
    return result
  }

  func send(_ payload: [UInt8], to remote: SocketAddress, in context: ICEContext, at now: Instant) {
    guard isOpen else { return }
    switch kind {
    case .socket: context.transmit(payload, over: .datagram(local: address, remote: remote))
    case .relay(let client): client.send(payload, to: remote, at: now)
    }
  }

  /// Whether a check from here to `remote` can arrive at all.
  func canReach(_ remote: SocketAddress) -> Bool {
    guard remote.ip.family == address.ip.family, remote.port != 0, !remote.ip.isUnspecified,
      !remote.ip.isMulticast
    else { return false }
    if isRelay { return true }
    // RFC 8445 section 6.1.2.2: link-local only with link-local.
    if !remote.ip.isIPv4, remote.ip.isLinkLocal != address.ip.isLinkLocal { return false }
    return remote.ip.isLoopback == address.ip.isLoopback
  }
}
