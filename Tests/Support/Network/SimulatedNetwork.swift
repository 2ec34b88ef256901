import WireFormat

/// A small internet on the virtual clock: hosts with addresses, some behind NATs, and links with conditions.
///
/// Each address has a link up and a link down. What happens depends only on the seed.
package final class SimulatedNetwork {
  package struct Datagram {
    package let payload: [UInt8]
    package let source: SocketAddress
    package let destination: SocketAddress
  }

  package typealias Receiver = (_ datagram: Datagram, _ now: Instant) -> Void

  private final class Port {
    let nat: NAT?
    var up: LinkEmulator<Datagram>
    var down: LinkEmulator<Datagram>
    let receive: Receiver

    init(
      nat: NAT?, up: LinkEmulator<Datagram>, down: LinkEmulator<Datagram>, receive: @escaping Receiver
    ) {
      self.nat = nat
      self.up = up
      self.down = down
      self.receive = receive
    }
  }

  package private(set) var now = Instant.origin
  private var ports: [IPAddress: Port] = [:]
  /// In order of attachment: iteration must repeat exactly.
  private var order: [IPAddress] = []
  private var nats: [IPAddress: NAT] = [:]
  private var random: RandomSource
  /// Everything that was sent, for assertions.
  package private(set) var sent = 0
  /// Sees each datagram as it is sent, before any loss.
  package var tap: ((Datagram, Instant) -> Void)?

  package init(seed: UInt64) {
    random = RandomSource(seed: seed)
  }

  /// Connects an address. Conditions hold for the way up; the way down has none.
  package func attach(
    _ ip: IPAddress, behind nat: NAT? = nil,
    conditions: LinkEmulator<Datagram>.Conditions = .init(), receive: @escaping Receiver
  ) {
    if let nat { nats[nat.externalIP] = nat }
    ports[ip] = Port(
      nat: nat, up: LinkEmulator(conditions, seed: random.next()), down: LinkEmulator(seed: random.next()),
      receive: receive)
    order.removeAll { $0 == ip }
    order.append(ip)
  }

  package func detach(_ ip: IPAddress) {
    ports[ip] = nil
    order.removeAll { $0 == ip }
  }

  /// Changes the conditions of an address, both ways.
  package func change(_ ip: IPAddress, _ change: (inout LinkEmulator<Datagram>.Conditions) -> Void) {
    guard let port = ports[ip] else { return }
    change(&port.up.conditions)
  }

  /// Cuts an address off in both directions, or reconnects it.
  package func setDown(_ ip: IPAddress, _ isDown: Bool) {
    ports[ip]?.up.conditions.isDown = isDown
    ports[ip]?.down.conditions.isDown = isDown
  }

  package func send(_ payload: [UInt8], from source: SocketAddress, to destination: SocketAddress) {
    guard let port = ports[source.ip] else { return }
    sent += 1
    let datagram = Datagram(payload: payload, source: source, destination: destination)
    tap?(datagram, now)
    port.up.send(datagram, bytes: payload.count, at: now)
  }

  package var nextArrival: Instant? {
    var next: Instant?
    for ip in order {
      guard let port = ports[ip] else { continue }
      next = .earliest(next, .earliest(port.up.nextArrival, port.down.nextArrival))
    }
    return next
  }

  /// Moves the clock to `time` (which no arrival precedes) and delivers what arrives then.
  package func advance(to time: Instant) {
    now = max(now, time)
    for ip in order {
      guard let port = ports[ip] else { continue }
      while let datagram = port.up.receive(at: now) { forward(datagram, from: port) }
    }
    for ip in order {
      guard let port = ports[ip] else { continue }
      while let datagram = port.down.receive(at: now) { port.receive(datagram, now) }
    }
  }

  private func forward(_ datagram: Datagram, from port: Port) {
    var source = datagram.source
    var destination = datagram.destination
    // Inside the same network no translation takes place.
    if let target = ports[destination.ip], target.nat === port.nat {
      deliver(datagram.payload, source, destination, to: target)
      return
    }
    if let nat = port.nat { source = nat.outbound(from: source, to: destination, at: now) }
    if let nat = nats[destination.ip] {
      if nat === port.nat, !nat.hairpins { return }
      guard let inside = nat.inbound(from: source, toPort: destination.port, at: now) else { return }
      destination = inside
    } else if ports[destination.ip]?.nat != nil {
      return
    }
    guard let target = ports[destination.ip] else { return }
    deliver(datagram.payload, source, destination, to: target)
  }

  private func deliver(
    _ payload: [UInt8], _ source: SocketAddress, _ destination: SocketAddress, to port: Port
  ) {
    port.down.send(
      Datagram(payload: payload, source: source, destination: destination), bytes: payload.count, at: now)
  }
}
