import WireFormat

/// A network address translator as RFC 4787 describes them.
package final class NAT {
  package enum Kind: String, CaseIterable, Sendable {
    case fullCone
    case addressRestricted
    case portRestricted
    case symmetric
  }

  private struct Mapping {
    let inside: SocketAddress
    /// Only for symmetric ones: the destination that the mapping is for.
    let destination: SocketAddress?
    let port: UInt16
    var lastUsed: Instant
    var contacted: Set<SocketAddress> = []
  }

  package let externalIP: IPAddress
  package let kind: Kind
  package let hairpins: Bool
  /// How long a mapping lives without outbound traffic.
  package var lifetime: Interval
  private var mappings: [Mapping] = []
  private var nextPort: UInt16 = 40_000

  package init(externalIP: IPAddress, kind: Kind, hairpins: Bool = false, lifetime: Interval = .seconds(120))
  {
    self.externalIP = externalIP
    self.kind = kind
    self.hairpins = hairpins
    self.lifetime = lifetime
  }

  /// Forgets all mappings, as after a power cut.
  package func reboot() {
    mappings = []
    nextPort += 1000
  }

  /// The source that a datagram going out gets.
  package func outbound(
    from inside: SocketAddress, to destination: SocketAddress, at now: Instant
  )
    -> SocketAddress
  {
    expire(at: now)
    let key = kind == .symmetric ? destination : nil
    if let index = mappings.firstIndex(where: { $0.inside == inside && $0.destination == key }) {
      mappings[index].lastUsed = now
      mappings[index].contacted.insert(destination)
      return SocketAddress(ip: externalIP, port: mappings[index].port)
    }
    nextPort += 1
    mappings.append(
      Mapping(inside: inside, destination: key, port: nextPort, lastUsed: now, contacted: [destination]))
    return SocketAddress(ip: externalIP, port: nextPort)
  }

  /// Where a datagram to our external `port` goes inside; nil when it is filtered out.
  package func inbound(from source: SocketAddress, toPort port: UInt16, at now: Instant) -> SocketAddress? {
    expire(at: now)
    guard let mapping = mappings.first(where: { $0.port == port }) else { return nil }
    let isAllowed =
      switch kind {
      case .fullCone: true
      case .addressRestricted: mapping.contacted.contains { $0.ip == source.ip }
      case .portRestricted, .symmetric: mapping.contacted.contains(source)
      }
    return isAllowed ? mapping.inside : nil
  }

  private func expire(at now: Instant) {
    mappings.removeAll { now > $0.lastUsed + lifetime }
  }
}
