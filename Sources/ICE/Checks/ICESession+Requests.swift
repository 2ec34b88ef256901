import STUN
import WireFormat

/// The server side of checks (RFC 8445 section 7.3).
extension ICESession {
  /// Answers a Binding request that came to `base` from `source`. False when it is not for this generation.
  func handleRequest(
    _ message: STUNMessage, bytes: RawSpan, base: CandidateBase, from source: SocketAddress,
    local: LocalCandidate, at now: Instant
  ) -> Bool {
    guard let username = message.username, let ufrags = CheckCredentials.split(username) else {
      reject(message, .badRequest, base: base, to: source, isAuthentic: false, at: now)
      return true
    }
    guard ufrags.local == credentials.local.ufrag else { return false }
    guard !message.integrity.isEmpty else {
      reject(message, .badRequest, base: base, to: source, isAuthentic: false, at: now)
      return true
    }
    guard message.isAuthentic(bytes, key: credentials.localKey) else {
      reject(message, .unauthenticated, base: base, to: source, isAuthentic: false, at: now)
      return true
    }
    let unknown = message.unknownRequiredTypes
    guard unknown.isEmpty else {
      reject(message, .unknownAttribute, base: base, to: source, unknown: unknown, isAuthentic: true, at: now)
      return true
    }
    // After its own restart, libwebrtc checks from its old ports too: its old name for itself, our new one. They
    // answer none of our checks, so an answer to theirs would make them usable in one direction only.
    if let known = credentials.remote, known.ufrag != ufrags.remote { return true }
    guard resolveRoles(message) else {
      reject(message, .roleConflict, base: base, to: source, isAuthentic: true, at: now)
      return true
    }
    // An answer would make the path usable for the peer, whose data this side then could not place.
    guard let pair = pair(for: message, from: source, local: local) else { return true }
    answer(message, pair: pair, base: base, to: source, at: now)
    take(message, on: pair, at: now)
    return true
  }

  /// False: the request must be refused with 487. May switch our role.
  private func resolveRoles(_ message: STUNMessage) -> Bool {
    switch role {
    case .controlling:
      guard let theirs = message.iceControlling else { return true }
      if tieBreaker >= theirs { return false }
      switchRole(to: .controlled)
    case .controlled:
      guard let theirs = message.iceControlled else { return true }
      if tieBreaker < theirs { return false }
      switchRole(to: .controlling)
    }
    return true
  }

  /// The request's pair; a new source address becomes a peer-reflexive candidate (section 7.3.1.3).
  private func pair(
    for message: STUNMessage, from source: SocketAddress, local: LocalCandidate
  ) -> CandidatePair? {
    if let known = checklist.pair(base: local.base, remote: source) { return known }
    let plain = SocketAddress(ip: source.ip, port: source.port)
    let signalled = remoteCandidates.first { $0.socketAddress == plain }
    let remote =
      signalled
      ?? ICECandidate(
        foundation: "prflx\(remoteCandidates.count)",
        priority: message.priority ?? CandidatePriority.peerReflexive(of: 0), address: source.ip,
        port: source.port, kind: .peerReflexive)
    if signalled == nil, !rememberPeerReflexive(remote) { return nil }
    return addPair(local, remote, isProven: true)
  }

  private func answer(
    _ message: STUNMessage, pair: CandidatePair, base: CandidateBase, to source: SocketAddress,
    at now: Instant
  ) {
    var response = STUNMessage(.success, .binding, transactionID: message.transactionID)
    response.attributes = [.xorMappedAddress(source)]
    if let checkExtension {
      checkExtension.received(message, pair: pair.id)
      response.attributes += checkExtension.attributes(for: .success, pair: pair.id)
    }
    pair.counters.requestsReceived += 1
    pair.counters.responsesSent += 1
    base.send(response.encoded(key: credentials.localKey), to: source, in: context, at: now)
  }

  /// Triggered checks and nomination (sections 7.3.1.4 and 7.3.1.5).
  private func take(_ message: STUNMessage, on pair: CandidatePair, at now: Instant) {
    pair.liveness?.lastHeard = now
    if !message.useCandidate {
      pair.sawPlainCheck = true
    } else if role == .controlled {
      pair.lastNomination = now
      if pair.state == .succeeded { nominate(pair, at: now) } else { pair.isNominationPending = true }
    }
    if pair.state != .succeeded {
      // Also when a check is out already: a NAT may have swallowed it, and is open now.
      checklist.trigger(pair)
      runChecks(at: now)
    } else if pair.liveness?.isHealthy == false {
      // The peer is back: find out at once whether our direction works too.
      check(pair, purpose: .consent, at: now)
    }
  }

  private func reject(
    _ message: STUNMessage, _ error: STUNErrorCode, base: CandidateBase, to source: SocketAddress,
    unknown: [UInt16] = [], isAuthentic: Bool, at now: Instant
  ) {
    var response = STUNMessage(.failure, .binding, transactionID: message.transactionID)
    response.attributes = [.errorCode(error)]
    if !unknown.isEmpty { response.attributes.append(.unknownAttributes(unknown)) }
    let bytes = response.encoded(key: isAuthentic ? credentials.localKey : nil)
    base.send(bytes, to: source, in: context, at: now)
  }
}
