import STUN
import WireFormat

/// Datagrams in and out.
extension ICEAgent {
  /// Takes a datagram that came to the socket bound to `local`.
  package func handle(
    _ datagram: RawSpan, from source: SocketAddress, to local: SocketAddress, at now: Instant
  ) -> ICEInput {
    guard state != .closed, let base = sockets[local] else { return .ignored }
    if let client = gatherer.client(base: base, server: source) {
      let output = client.handle(datagram, at: now)
      if output != .unclaimed {
        let input = take(output, of: client, in: datagram, at: now)
        if input == .consumed { settle(at: now) }
        return input
      }
    }
    guard STUNHeader.isPlausible(datagram) else {
      return application(0..<datagram.byteCount, base: base, from: source, at: now)
    }
    return handleSTUN(datagram, base: base, from: source, at: now)
  }

  /// What a TURN server sent, taken out of its framing.
  func take(
    _ output: TURNClient.Output, of client: TURNClient, in frame: RawSpan, at now: Instant
  ) -> ICEInput {
    switch output {
    case .consumed: return .consumed
    case .ignored, .unclaimed: return .ignored
    case .data(let peer, let range):
      guard let base = client.base else { return .ignored }
      let payload = frame.clamped(range)
      guard STUNHeader.isPlausible(payload) else {
        return application(range, base: base, from: peer, at: now)
      }
      return handleSTUN(payload, base: base, from: peer, at: now)
    }
  }

  private func handleSTUN(
    _ bytes: RawSpan, base: CandidateBase, from source: SocketAddress, at now: Instant
  ) -> ICEInput {
    guard let message = try? STUNMessage(decoding: bytes) else { return .ignored }
    let remote = base.scoped(source)
    guard message.method == .binding else { return .ignored }
    var isOurs = true
    switch message.messageClass {
    case .request:
      isOurs = handleRequest(message, bytes, base: base, from: remote, at: now)
    case .success, .failure:
      isOurs =
        gatherer.handleResponse(message, base: base, from: source, at: now)
        || session.handleResponse(message, bytes: bytes, base: base, from: remote, at: now)
        || previous?.handleResponse(message, bytes: bytes, base: base, from: remote, at: now) == true
    case .indication: break
    }
    settle(at: now)
    return isOurs ? .consumed : .ignored
  }

  private func handleRequest(
    _ message: STUNMessage, _ bytes: RawSpan, base: CandidateBase, from source: SocketAddress, at now: Instant
  ) -> Bool {
    // A base without a host or relayed candidate is one that the policy keeps private: no answer.
    let local = table.candidates.first {
      $0.base === base && ($0.candidate.kind == .host || $0.candidate.kind == .relayed)
    }
    guard let local else { return false }
    return session.handleRequest(message, bytes: bytes, base: base, from: source, local: local, at: now)
      || previous?.handleRequest(
        message, bytes: bytes, base: base, from: source, local: local, at: now) == true
  }

  private func application(
    _ range: Range<Int>, base: CandidateBase, from source: SocketAddress, at now: Instant
  ) -> ICEInput {
    let remote = base.scoped(source)
    let known =
      session.checklist.pair(base: base, remote: remote)
      ?? previous?.checklist.pair(base: base, remote: remote)
    guard let pair = known else { return .ignored }
    pair.counters.packetsReceived &+= 1
    pair.counters.bytesReceived &+= range.count
    pair.counters.lastPacketReceived = now
    pair.liveness?.lastHeard = now
    if state == .disconnected { settle(at: now) }
    return .application(range: range, pair: pair.id)
  }

  /// Where an application datagram goes now: adds TURN's framing to `packet` when the pair is relayed, and
  /// counts it. nil: there is no usable pair, or no room for the framing.
  package func route(_ packet: PacketBuffer, at now: Instant) -> ICETransmitPath? {
    guard let pair = carrier, pair.isValid, state != .closed, state != .failed else { return nil }
    let length = packet.count
    let path: ICETransmitPath?
    switch pair.base.kind {
    case .socket: path = .datagram(local: pair.base.address, remote: pair.remoteAddress)
    case .relay(let client): path = client.wrap(packet, to: pair.remoteAddress, at: now)
    }
    guard let path else { return nil }
    pair.counters.packetsSent &+= 1
    pair.counters.bytesSent &+= length
    pair.counters.lastPacketSent = now
    return path
  }

  /// All pairs of the current generation.
  package func statistics() -> [ICEPairStatistics] {
    session.checklist.pairs.map { pair in
      let counters = pair.counters
      let state: ICEPairStatistics.State =
        switch pair.state {
        case .frozen: .frozen
        case .waiting: .waiting
        case .inProgress: .inProgress
        case .succeeded: .succeeded
        case .failed: .failed
        }
      return ICEPairStatistics(
        id: pair.id, local: pair.local, remote: pair.remote, state: state, isNominated: pair.isNominated,
        isSelected: pair === carrier, priority: pair.priority, roundTripTime: pair.roundTripTime,
        totalRoundTripTime: pair.totalRoundTripTime, requestsSent: counters.requestsSent,
        responsesReceived: counters.responsesReceived, requestsReceived: counters.requestsReceived,
        responsesSent: counters.responsesSent, consentRequestsSent: counters.consentRequestsSent,
        packetsSent: counters.packetsSent, bytesSent: counters.bytesSent,
        packetsReceived: counters.packetsReceived, bytesReceived: counters.bytesReceived,
        lastPacketReceived: counters.lastPacketReceived, lastPacketSent: counters.lastPacketSent)
    }
  }
}
