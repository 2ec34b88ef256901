import STUN
import WireFormat

/// Finds server-reflexive and relayed candidates, one base and server at a time side by side, so that a dead
/// server or interface delays nobody (RFC 8445 section 5.1.1).
final class CandidateGatherer {
  /// A first request that waits for its turn in the pacing.
  private enum Start {
    case reflexive(CandidateBase, ICEServerURI, SocketAddress)
    case relay(TURNClient)
  }

  let context: ICEContext
  weak var delegate: (any CandidateGathererDelegate)?
  private var servers: [GatheringServer] = []
  private var bases: [CandidateBase] = []
  private(set) var probes: [ReflexiveProbe] = []
  private(set) var clients: [TURNClient] = []
  private var starts = FIFO<Start>()
  private var nextStartAt = Instant.origin
  private var startedAt: Instant?
  private var isFinished = false
  private var streamsAt: Instant?

  init(context: ICEContext) {
    self.context = context
  }

  deinit {
    // A relayed base and its client hold each other; an agent that is dropped without a close must end that.
    for client in clients { client.base = nil }
  }

  // MARK: Servers

  func start(at now: Instant) {
    startedAt = now
    let all = context.configuration.servers.flatMap { server in server.uris.map { (server, $0) } }
    if all.count > context.limits.servers {
      context.emit(.note("more than \(context.limits.servers) servers: the last ones are ignored"))
    }
    for (server, uri) in all.prefix(context.limits.servers) where isUsable(uri, server) {
      var entry = GatheringServer(
        uri: uri, username: server.username ?? "", password: server.password ?? "")
      if let ip = IPAddress(uri.host) {
        entry.addresses = [SocketAddress(ip: ip, port: uri.port)]
      } else {
        let id = ICEResolutionID(number: context.nextNumber())
        entry.resolution = id
        context.emit(.resolve(name: uri.host, id: id))
      }
      servers.append(entry)
    }
    let hasDatagramRelays = servers.contains { $0.uri.scheme.isTURN && $0.uri.transport == .udp }
    streamsAt = hasDatagramRelays ? now + context.timing.streamFallbackDelay : now
    for index in servers.indices where !servers[index].addresses.isEmpty { use(servers[index], at: now) }
    run(at: now)
  }

  private func isUsable(_ uri: ICEServerURI, _ server: ICEServer) -> Bool {
    if uri.scheme.isTURN {
      if uri.scheme.isSecure, uri.transport == .udp {
        context.emit(.note("\(uri) is ignored: TURN over DTLS is not supported"))
        return false
      }
      guard server.username != nil, server.password != nil else {
        context.emit(.note("\(uri) is ignored: it has no credentials"))
        return false
      }
      return true
    }
    if uri.transport == .tcp {
      context.emit(.note("\(uri) is ignored: a mapping over TCP is of no use to UDP"))
      return false
    }
    return context.configuration.policy == .all
  }

  /// The addresses of a server's name; none: it does not resolve.
  func resolved(_ id: ICEResolutionID, addresses: [IPAddress], at now: Instant) {
    guard let index = servers.firstIndex(where: { $0.resolution == id }) else { return }
    servers[index].resolution = nil
    if addresses.isEmpty {
      context.emit(.serverUnreachable("\(servers[index].uri): the name does not resolve"))
    }
    for family in [IPAddress.Family.ipv4, .ipv6] {
      if let ip = addresses.first(where: { $0.family == family }) {
        servers[index].addresses.append(SocketAddress(ip: ip, port: servers[index].uri.port))
      }
    }
    use(servers[index], at: now)
    run(at: now)
  }

  private func use(_ server: GatheringServer, at now: Instant) {
    if server.uri.transport == .tcp {
      if let streamsAt, now >= streamsAt { openStream(server, at: now) }
      return
    }
    for base in bases { use(server, from: base) }
  }

  private func use(_ server: GatheringServer, from base: CandidateBase) {
    guard let address = server.address(for: base.address.ip.family), base.canReach(address) else { return }
    if !server.uri.scheme.isTURN {
      starts.append(.reflexive(base, server.uri, address))
      return
    }
    guard server.uri.transport == .udp, clients.count < context.limits.allocations,
      !clients.contains(where: { $0.socket === base && $0.server == address })
    else { return }
    add(
      TURNClient(
        context: context, uri: server.uri, server: address, socket: base, username: server.username,
        password: server.password))
  }

  private func openStream(_ server: GatheringServer, at now: Instant) {
    guard let address = server.addresses.first, clients.count < context.limits.allocations,
      !clients.contains(where: { $0.uri == server.uri && $0.socket == nil })
    else { return }
    add(
      TURNClient(
        context: context, uri: server.uri, server: address, socket: nil, username: server.username,
        password: server.password))
  }

  private func add(_ client: TURNClient) {
    client.delegate = self
    clients.append(client)
    starts.append(.relay(client))
  }

  // MARK: Bases

  func add(_ base: CandidateBase, at now: Instant) {
    bases.append(base)
    guard startedAt != nil else { return }
    for server in servers { use(server, from: base) }
    run(at: now)
  }

  func remove(_ base: CandidateBase, at now: Instant) {
    bases.removeAll { $0 === base }
    probes.removeAll { $0.base === base }
    for client in clients where client.socket === base { client.abandon(at: now) }
    clients.removeAll { $0.socket === base }
    run(at: now)
  }

  func networkChanged(at now: Instant) {
    for client in clients { client.verify(at: now) }
    for index in probes.indices where !probes[index].isAsking { ask(index, at: now) }
  }

  /// This pair carries data: its relay, if any, should use a channel.
  func selected(_ pair: CandidatePair?, at now: Instant) {
    guard let pair, case .relay(let client) = pair.base.kind else { return }
    client.bindChannel(pair.remoteAddress, at: now)
  }

  func close(at now: Instant) {
    for client in clients { client.close(at: now) }
    clients = []
    probes = []
    starts.removeAll()
  }

  // MARK: Look-up

  func client(base: CandidateBase, server: SocketAddress) -> TURNClient? {
    guard !clients.isEmpty else { return nil }
    return clients.first { $0.socket === base && $0.server == server }
  }

  func client(stream: ICEStreamID) -> TURNClient? {
    clients.first { $0.stream == stream }
  }

  // MARK: Probes

  private func ask(_ index: Int, at now: Instant) {
    var message = STUNMessage(.request, .binding, transactionID: context.transactionID())
    if let software = context.configuration.software { message.attributes = [.software(software)] }
    let bytes = message.encoded()
    let schedule = RetransmissionSchedule(
      sentAt: now, timeout: context.timing.initialTimeout, transmissions: context.timing.transmissions,
      lastWait: context.timing.lastWait)
    probes[index].state = .asking(message.transactionID, schedule, bytes: bytes)
    probes[index].base.send(bytes, to: probes[index].server, in: context, at: now)
  }

  /// Takes a STUN server's answer; false when it is none.
  func handleResponse(
    _ message: STUNMessage, base: CandidateBase, from source: SocketAddress, at now: Instant
  ) -> Bool {
    let found = probes.firstIndex { probe in
      guard case .asking(let id, _, _) = probe.state else { return false }
      return id == message.transactionID
    }
    guard let index = found, probes[index].base === base, probes[index].server == source else { return false }
    if message.messageClass == .failure {
      if message.errorCode?.code == 300, let other = message.alternateServer,
        other.ip.family == source.ip.family, probes[index].redirections < 3
      {
        probes[index].redirections += 1
        probes[index].server = other
        ask(index, at: now)
      } else {
        probes[index].state = .failed
        context.emit(.serverUnreachable("\(probes[index].uri) refuses: \(message.errorCode?.code ?? 400)"))
      }
    } else {
      probes[index].state = .resting(until: now + context.timing.serverKeepAlive)
      probes[index].hasAnswered = true
      if let mapped = message.mappedAddress {
        delegate?.gathererFound(reflexive: mapped, base: base, server: source, at: now)
      }
    }
    checkFinished(at: now)
    return true
  }

  private func expireProbes(at now: Instant) {
    for index in probes.indices {
      switch probes[index].state {
      case .asking(let id, var schedule, let bytes) where schedule.next <= now:
        if schedule.expire(at: now) {
          probes[index].state = .asking(id, schedule, bytes: bytes)
          probes[index].base.send(bytes, to: probes[index].server, in: context, at: now)
        } else {
          probes[index].state = .failed
          context.emit(
            .serverUnreachable("\(probes[index].uri) does not answer from \(probes[index].base.address.ip)"))
        }
      case .resting(let until) where until <= now: ask(index, at: now)
      case .asking, .resting, .failed: break
      }
    }
  }

  // MARK: Time

  private func run(at now: Instant) {
    while now >= nextStartAt, let start = starts.popFirst() {
      switch start {
      case .reflexive(let base, let uri, let server):
        guard base.isOpen else { continue }
        probes.append(ReflexiveProbe(base: base, uri: uri, server: server, state: .failed))
        ask(probes.count - 1, at: now)
      case .relay(let client):
        guard client.isPending else { continue }
        client.start(at: now)
      }
      nextStartAt = now + context.timing.gatheringPacing
    }
    checkFinished(at: now)
  }

  private func checkFinished(at now: Instant) {
    guard !isFinished, let startedAt else { return }
    let isLate = now >= startedAt + context.timing.gatheringLimit
    let isBusy =
      !starts.isEmpty || servers.contains { $0.resolution != nil } || probes.contains { $0.isAsking }
      || clients.contains { $0.isPending } || streamsAreAhead
    guard isLate || !isBusy else { return }
    isFinished = true
    delegate?.gathererFinished(at: now)
  }

  /// Whether streams have yet to be tried, no relay over UDP being there.
  private var streamsAreAhead: Bool {
    streamsAt != nil && servers.contains { $0.uri.transport == .tcp }
      && !clients.contains { $0.isAllocated }
  }

  func handleTimeout(at now: Instant) {
    expireProbes(at: now)
    for client in clients { client.handleTimeout(at: now) }
    if let time = streamsAt, now >= time {
      streamsAt = nil
      if !clients.contains(where: { $0.isAllocated }) {
        for server in servers where server.uri.transport == .tcp { openStream(server, at: now) }
      }
    }
    run(at: now)
  }

  func nextTimeout() -> Instant? {
    guard let startedAt else { return nil }
    var next: Instant?
    for probe in probes { next = .earliest(next, probe.nextTimeout) }
    for client in clients { next = .earliest(next, client.nextTimeout()) }
    if !starts.isEmpty { next = .earliest(next, nextStartAt) }
    if servers.contains(where: { $0.uri.transport == .tcp }) { next = .earliest(next, streamsAt) }
    if !isFinished { next = .earliest(next, startedAt + context.timing.gatheringLimit) }
    return next
  }
}

extension CandidateGatherer: TURNClientDelegate {
  func turnAllocated(_ client: TURNClient, at now: Instant) {
    guard let base = client.base else { return }
    if let mapped = client.mapped, let socket = client.socket {
      delegate?.gathererFound(reflexive: mapped, base: socket, server: client.server, at: now)
    }
    delegate?.gathererFound(relay: base, client: client, mapped: client.mapped, at: now)
    checkFinished(at: now)
  }

  func turnLost(_ client: TURNClient, base: CandidateBase, at now: Instant) {
    delegate?.gathererLost(relay: base, at: now)
  }

  func turnFailed(_ client: TURNClient, reason: String, at now: Instant) {
    context.emit(.serverUnreachable(reason))
    clients.removeAll { $0 === client }
    // The last relay over UDP is gone: do not wait for the delay to try the streams.
    if let streamsAt, now < streamsAt, !clients.contains(where: { $0.transport == .udp }) {
      self.streamsAt = now
    }
    checkFinished(at: now)
  }

  func turnAllowed(_ client: TURNClient, peer: IPAddress, at now: Instant) {
    guard let base = client.base else { return }
    delegate?.gathererAllowed(relay: base, peer: peer, at: now)
  }
}
