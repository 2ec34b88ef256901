import CSockets
import ICE
import Synchronization
import WireFormat

/// Joins one ``PeerConnection`` to the machine's network: sockets, timers, names and interface changes.
///
/// Lives on its loop's thread, like the connection that it drives.
package final class PeerConnectionDriver: LoopMember {
  package let connection: PeerConnection
  private let loop: NetworkLoop
  private let context: LoopContext
  private let configuration: DriverConfiguration
  private let onEvent: (PeerConnectionEvent) -> Void
  private var sockets: [SocketAddress: UDPSocket] = [:]
  private var socketsByDescriptor: [Int32: UDPSocket] = [:]
  private var streams: [ICEStreamID: StreamSocket] = [:]
  private var streamsByDescriptor: [Int32: ICEStreamID] = [:]
  /// Those with datagrams to send.
  private var unsent: [UDPSocket] = []
  private lazy var multicastResolver = MulticastNameResolver(context: context)
  private var random = RandomSource.system
  private var isRunning = false

  /// - Parameter onEvent: called on the loop's thread, in order, after each turn.
  package init(
    connection: PeerConnection, loop: NetworkLoop, configuration: DriverConfiguration = DriverConfiguration(),
    onEvent: @escaping (PeerConnectionEvent) -> Void
  ) {
    self.connection = connection
    self.loop = loop
    context = loop.context
    self.configuration = configuration
    self.onEvent = onEvent
  }

  /// Opens a socket on each usable address and begins. Gathering from servers is a step of its own.
  package func start(at now: Instant) {
    guard !isRunning else { return }
    isRunning = true
    context.add(self)
    // Watched before they are read: what changes in between is told.
    context.network.listen(self) { [weak self] in
      guard let self else { return }
      let now = MonotonicClock.now()
      updateAddresses(at: now)
      self.connection.networkChanged(at: now)
      context.serviceAgain()
    }
    updateAddresses(at: now)
  }

  /// Closes the connection, sends its last words and lets go of everything.
  package func close(at now: Instant) {
    connection.close(at: now)
    guard isRunning else { return }
    drain(at: now)
    release()
  }

  /// Lets go of everything without another word to the peer.
  package func abandon() {
    if isRunning { release() }
  }

  private func release() {
    isRunning = false
    context.network.leave(self)
    multicastResolver.cancel()
    for socket in sockets.values { context.unwatch(socket.descriptor) }
    for stream in streams.values { context.unwatch(stream.descriptor) }
    sockets.removeAll()
    socketsByDescriptor.removeAll()
    streams.removeAll()
    streamsByDescriptor.removeAll()
    context.remove(self)
  }

  // MARK: Loop member

  package func ready(_ descriptor: Int32, readable: Bool, writable: Bool, failed: Bool) {
    let now = MonotonicClock.now()
    if let socket = socketsByDescriptor[descriptor] {
      if writable {
        socket.flush(pool: context.pool)
        watch(socket)
      }
      // An ICMP error makes the socket "failed" until it is read; the read clears it.
      if readable || failed { receive(on: socket, at: now) }
    } else if let id = streamsByDescriptor[descriptor], let stream = streams[id] {
      handle(stream, id: id, readable: readable || failed, writable: writable, at: now)
    }
  }

  package func service(at now: Instant) -> Instant? {
    guard isRunning else { return nil }
    if let due = connection.nextTimeout(), due <= now { connection.handleTimeout(at: now) }
    drain(at: now)
    connection.workAhead()
    return connection.nextTimeout()
  }

  private func receive(on socket: UDPSocket, at now: Instant) {
    var more = true
    var rounds = 0
    // Eight batches a turn keep one busy socket from starving timers and the others.
    while more, rounds < 8 {
      rounds += 1
      do {
        more = try context.receiveBatch.receive(from: socket.descriptor, pool: context.pool) {
          buffer, source, receivedAt in
          connection.handle(buffer, from: source, to: socket.localAddress, receivedAt: receivedAt, at: now)
        }
      } catch {
        // ECONNREFUSED and its kin report an earlier send; nothing is lost by reading on next time.
        more = false
      }
      if more { socket.glueArrivals() }
    }
  }

  // MARK: Output

  private func drain(at now: Instant) {
    // Handlers of events send in turn: on until nothing moves any more.
    var progressed = true
    while progressed {
      progressed = false
      connection.advance(at: now)
      while let event = connection.nextEvent() {
        progressed = true
        handle(event, at: now)
      }
      while let transmit = connection.nextTransmit() { collect(transmit) }
    }
    flush()
  }

  private func collect(_ transmit: PeerTransmit) {
    switch transmit.path {
    case .datagram(let local, let remote):
      guard let socket = sockets[local] else { return context.pool.give(transmit.buffer) }
      let isFirst = socket.queue(OutgoingDatagram(buffer: transmit.buffer, destination: remote))
      if isFirst { unsent.append(socket) }
    case .stream(let id):
      if let stream = streams[id] {
        stream.send(transmit.buffer.bytes)
        watch(stream)
      }
      context.pool.give(transmit.buffer)
    }
  }

  private func flush() {
    for socket in unsent {
      socket.sendQueued(pool: context.pool)
      if socket.isBacklogged { watch(socket) }
    }
    unsent.removeAll(keepingCapacity: true)
  }

  private func handle(_ event: PeerConnectionEvent, at now: Instant) {
    switch event {
    case .ice(.resolve(let name, let id)):
      let box = LoopReference(self)
      NameResolver.resolve(name) { [loop] addresses in
        loop.submit { box.object?.resolved(id, addresses) }
      }
    case .ice(.resolveMulticast(let name, let id)):
      multicastResolver.resolve(name, at: now) { [weak self] addresses in self?.resolved(id, addresses) }
    case .ice(.openStream(let id, let address, let serverName)):
      open(id, to: address, tlsServerName: serverName, at: now)
    case .ice(.closeStream(let id)): closeStream(id)
    default: onEvent(event)
    }
  }

  private func resolved(_ id: ICEResolutionID, _ addresses: [IPAddress]) {
    connection.resolved(id, addresses: addresses, at: MonotonicClock.now())
  }

  // MARK: Streams

  private func open(_ id: ICEStreamID, to address: SocketAddress, tlsServerName: String?, at now: Instant) {
    do {
      let stream = try StreamSocket(to: address, tlsServerName: tlsServerName)
      streams[id] = stream
      streamsByDescriptor[stream.descriptor] = id
      watch(stream)
    } catch {
      connection.streamFailed(id, at: now)
    }
  }

  private func handle(
    _ stream: StreamSocket, id: ICEStreamID, readable: Bool, writable: Bool, at now: Instant
  ) {
    var progress = StreamSocket.Progress.none
    if writable { progress = stream.handleWritable() }
    if case .connected(let local) = progress { connection.streamConnected(id, local: local, at: now) }
    if case .none = progress, readable {
      var received: [[UInt8]] = []
      progress = stream.handleReadable { received.append($0.copyBytes()) }
      if case .connected(let local) = progress { connection.streamConnected(id, local: local, at: now) }
      for bytes in received { connection.handleStream(bytes.rawSpan, id: id, at: now) }
    }
    if case .failed = progress {
      closeStream(id)
      connection.streamFailed(id, at: now)
    } else {
      watch(stream)
    }
  }

  private func closeStream(_ id: ICEStreamID) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    streamsByDescriptor[stream.descriptor] = nil
    context.unwatch(stream.descriptor)
  }

  private func watch(_ stream: StreamSocket) {
    context.watch(stream.descriptor, for: self, readable: true, writable: stream.wantsWrite)
  }

  private func watch(_ socket: UDPSocket) {
    context.watch(socket.descriptor, for: self, readable: true, writable: socket.isBacklogged)
  }

  // MARK: Addresses

  /// Opens sockets on addresses that have come, closes those of addresses that have gone.
  private func updateAddresses(at now: Instant) {
    let offered = LocalInterfaceAddress.usable(
      context.network.addresses().map(\.localInterfaceAddress), allowLoopback: configuration.includesLoopback
    ).prefix(configuration.addressLimit)
    for (local, socket) in sockets
    where !offered.contains(where: { $0.bound.ip == local.ip && $0.bound.scopeID == local.scopeID }) {
      sockets[local] = nil
      socketsByDescriptor[socket.descriptor] = nil
      context.unwatch(socket.descriptor)
      connection.removeLocalAddress(local, at: now)
    }
    for address in offered
    where !sockets.keys.contains(where: { $0.ip == address.bound.ip && $0.scopeID == address.bound.scopeID })
    {
      // An address that cannot be bound (a race with its removal, exhausted ports) is not offered.
      guard
        let socket = try? UDPSocket(
          address: address.bound.ip, scopeID: address.bound.scopeID, portRange: configuration.portRange,
          random: &random)
      else { continue }
      sockets[socket.localAddress] = socket
      socketsByDescriptor[socket.descriptor] = socket
      watch(socket)
      var bound = address
      bound.bound = socket.localAddress
      connection.addLocalAddress(bound, at: now)
    }
  }
}

extension NetworkInterfaceAddress {
  /// The form that ICE takes, with what an interface's name says of its kind.
  var localInterfaceAddress: LocalInterfaceAddress {
    let kind: LocalInterfaceAddress.Kind
    if isLoopback {
      kind = .loopback
    } else if isPointToPoint || name.hasPrefix("tun") || name.hasPrefix("tap") || name.hasPrefix("utun") {
      kind = .vpn
    } else if name.hasPrefix("wl") {
      kind = .wifi
    } else if name.hasPrefix("wwan") || name.hasPrefix("pdp_ip") {
      kind = .cellular
    } else if name.hasPrefix("e") || name.hasPrefix("veth") {
      kind = .ethernet
    } else {
      kind = .unknown
    }
    return LocalInterfaceAddress(
      bound: SocketAddress(ip: ip, port: 0, scopeID: scopeID), interfaceName: name, index: index, kind: kind)
  }
}
