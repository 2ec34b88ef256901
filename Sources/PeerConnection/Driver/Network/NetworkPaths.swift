import WireFormat

/// The machine's links, addresses and routes, as the kernel's messages tell them: whether there is a way out.
///
/// Pure: it is fed messages. Every table has a limit; what is beyond it is not kept.
package struct NetworkPaths: Sendable {
  package struct Link: Hashable, Sendable {
    package let index: UInt32
    package let isSwitchedOn: Bool
    package let hasCarrier: Bool
    package let isLoopback: Bool

    package init(index: UInt32, isSwitchedOn: Bool, hasCarrier: Bool, isLoopback: Bool) {
      self.index = index
      self.isSwitchedOn = isSwitchedOn
      self.hasCarrier = hasCarrier
      self.isLoopback = isLoopback
    }

    package var isUp: Bool { isSwitchedOn && hasCarrier }
  }

  package struct Address: Hashable, Sendable {
    package let link: UInt32
    package let ip: IPAddress

    package init(link: UInt32, ip: IPAddress) {
      self.link = link
      self.ip = ip
    }
  }

  package struct Route: Hashable, Sendable {
    package let link: UInt32
    package let isIPv6: Bool
    /// nil with prefix 0: the default route.
    package let destination: IPAddress?
    package let prefix: UInt8
    package let gateway: IPAddress?
    package let table: UInt32
    package let metric: UInt32

    package init(
      link: UInt32, isIPv6: Bool, destination: IPAddress?, prefix: UInt8, gateway: IPAddress?, table: UInt32,
      metric: UInt32
    ) {
      self.link = link
      self.isIPv6 = isIPv6
      self.destination = destination
      self.prefix = prefix
      self.gateway = gateway
      self.table = table
      self.metric = metric
    }

    package var isDefault: Bool { prefix == 0 }
  }

  static let linkLimit = 1024
  static let addressLimit = 4096
  /// Machines with whole Internet tables have a million routes: one a link is enough to know.
  static let routeLimit = 4096

  private var links: [UInt32: Link] = [:]
  private var addresses: [Address: Bool] = [:]
  private var routes: Set<Route> = []

  package init() {}

  /// Forgets everything: a new list follows.
  package mutating func removeAll() {
    self = NetworkPaths()
  }

  /// Takes a message; true when paths may have changed by it: a link, an address or a default route did. What the
  /// kernel repeats (as it does with each router advertisement) is no change.
  package mutating func apply(_ message: NetlinkMessage) -> Bool {
    switch message.content {
    case .link(let link, let isGone):
      if isGone {
        let old = links.removeValue(forKey: link.index)
        addresses = addresses.filter { $0.key.link != link.index }
        routes = routes.filter { $0.link != link.index }
        return old != nil
      }
      // The IPv4 routes of a link that is switched off go without a word.
      if !link.isSwitchedOn { routes = routes.filter { $0.link != link.index || $0.isIPv6 } }
      guard links[link.index] != nil || links.count < NetworkPaths.linkLimit else { return false }
      return links.updateValue(link, forKey: link.index) != link
    case .address(let address, let isUsable, let isGone):
      if isGone { return addresses.removeValue(forKey: address) != nil }
      guard addresses[address] != nil || addresses.count < NetworkPaths.addressLimit else { return false }
      return addresses.updateValue(isUsable, forKey: address) != isUsable
    case .route(let route, let isGone):
      if isGone { return routes.remove(route) != nil && route.isDefault }
      guard route.isDefault || routes.count < NetworkPaths.routeLimit else { return false }
      return routes.insert(route).inserted && route.isDefault
    case .endOfList: return false
    }
  }

  /// Whether some link that is up has an address to send from, beyond loopback and link-local ones, and a route to
  /// send by. A default route is not asked for: a machine may well work with a runtime on its own network.
  package var isOnline: Bool {
    addresses.contains { address, isUsable in
      guard isUsable, !address.ip.isLinkLocal, !address.ip.isLoopback,
        let link = links[address.link], link.isUp, !link.isLoopback
      else { return false }
      return routes.contains { $0.link == link.index && $0.isIPv6 != address.ip.isIPv4 }
    }
  }
}
