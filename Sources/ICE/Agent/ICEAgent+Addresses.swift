import WireFormat

/// Local addresses coming and going.
extension ICEAgent {
  /// The driver bound a socket. Its host candidate is told at once.
  package func addLocalAddress(_ address: LocalInterfaceAddress, at now: Instant) {
    guard state != .closed, sockets[address.bound] == nil, address.bound.port != 0 else { return }
    let base = CandidateBase(number: context.nextNumber(), socket: address)
    sockets[address.bound] = base
    if context.configuration.policy == .all { addLocal(.host, address: address.bound, base: base, at: now) }
    gatherer.add(base, at: now)
    settle(at: now)
  }

  /// The driver's socket is gone, for the address is. Pairs from it end; others take over.
  package func removeLocalAddress(_ bound: SocketAddress, at now: Instant) {
    guard state != .closed, let base = sockets.removeValue(forKey: bound) else { return }
    gatherer.remove(base, at: now)
    drop(base, at: now)
    settle(at: now)
  }

  /// All initial addresses are known: look for reflexive and relayed candidates.
  ///
  /// - Parameter servers: known only now; nil: the configuration's.
  package func gather(servers: [ICEServer]? = nil, at now: Instant) {
    guard state != .closed, gatheringState == .new else { return }
    if let servers { context.configuration.servers = servers }
    gatheringState = .gathering
    gatherer.start(at: now)
    settle(at: now)
  }

  /// Something about the network changed, though addresses may be the same: ask on every path at once.
  package func networkChanged(at now: Instant) {
    guard state != .closed else { return }
    previous?.probeAll(at: now)
    session.probeAll(at: now)
    gatherer.networkChanged(at: now)
    settle(at: now)
  }

  func drop(_ base: CandidateBase, at now: Instant) {
    base.close()
    table.remove(base)
    session.remove(base, at: now)
    previous?.remove(base, at: now)
  }

  func addLocal(
    _ kind: ICECandidate.Kind, address: SocketAddress, base: CandidateBase, server: SocketAddress? = nil,
    transport: ICEServerURI.Transport = .udp, related: SocketAddress? = nil, at now: Instant
  ) {
    let added = table.add(
      kind, address: address, base: base, server: server, transport: transport, related: related,
      limit: context.limits.localCandidates)
    guard let added else { return }
    context.emit(.localCandidate(added.candidate))
    session.pair(local: added, at: now)
  }
}

extension ICEAgent: CandidateGathererDelegate {
  func gathererFound(
    reflexive address: SocketAddress, base: CandidateBase, server: SocketAddress, at now: Instant
  ) {
    guard context.configuration.policy == .all, address != base.address else { return }
    addLocal(.serverReflexive, address: address, base: base, server: server, related: base.address, at: now)
  }

  func gathererFound(relay base: CandidateBase, client: TURNClient, mapped: SocketAddress?, at now: Instant) {
    // With policy relay the mapped address stays private too (RFC 8828 section 5.2).
    let hidden = SocketAddress(ip: base.address.ip.isIPv4 ? .ipv4Any : .ipv6Any, port: 0)
    let related = context.configuration.policy == .relay ? hidden : mapped ?? hidden
    addLocal(
      .relayed, address: base.address, base: base, server: client.server, transport: client.transport,
      related: related, at: now)
  }

  func gathererLost(relay base: CandidateBase, at now: Instant) {
    drop(base, at: now)
    settle(at: now)
  }

  func gathererAllowed(relay base: CandidateBase, peer: IPAddress, at now: Instant) {
    session.retransmit(from: base, to: peer, at: now)
    previous?.retransmit(from: base, to: peer, at: now)
  }

  func gathererFinished(at now: Instant) {
    guard gatheringState == .gathering else { return }
    gatheringState = .complete
    context.emit(.gatheringComplete)
  }
}
