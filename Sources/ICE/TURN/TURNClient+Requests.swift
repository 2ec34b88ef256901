import STUN
import WireFormat

/// Requests with their credentials, and what the answers change (RFC 8656 sections 7 to 12).
extension TURNClient {
  func request(_ kind: TURNRequest.Kind, challenges: Int = 0, at now: Instant) {
    var message = STUNMessage(.request, kind.method, transactionID: context.transactionID())
    message.attributes = attributes(of: kind) + authentication.attributes
    if let software = context.configuration.software { message.attributes.append(.software(software)) }
    let bytes = message.encoded(
      key: authentication.key, algorithm: authentication.algorithm, fingerprint: true)
    let isReliable = stream != nil
    let timeout = roundTripTime.map { max(context.timing.localTimeout, $0 * Int64(2)) }
    let schedule = RetransmissionSchedule(
      sentAt: now, timeout: isReliable ? .seconds(10) : timeout ?? context.timing.initialTimeout,
      transmissions: isReliable ? 1 : context.timing.transmissions,
      lastWait: isReliable ? 1 : context.timing.lastWait)
    requests.append(
      TURNRequest(
        kind: kind, id: message.transactionID, bytes: bytes, schedule: schedule,
        isSigned: authentication.isReady, challenges: challenges))
    transmit(bytes, at: now)
  }

  private func attributes(of kind: TURNRequest.Kind) -> [STUNAttribute] {
    switch kind {
    case .allocate:
      [.requestedTransport(17)] + (family.map { [.requestedAddressFamily($0)] } ?? [])
    case .refresh(let lifetime): lifetime.map { [.lifetime($0)] } ?? []
    case .createPermission(let ip): [.xorPeerAddress(SocketAddress(ip: ip, port: 0))]
    case .channelBind(let peer, let number): [.channelNumber(number), .xorPeerAddress(peer)]
    }
  }

  func transmit(_ bytes: [UInt8], at now: Instant) {
    lastSent = now
    context.transmit(bytes, over: path)
  }

  // MARK: Responses

  func handleResponse(_ message: STUNMessage, bytes: RawSpan, at now: Instant) -> Output {
    guard let index = requests.firstIndex(where: { $0.id == message.transactionID }) else {
      return .unclaimed
    }
    let request = requests[index]
    if let error = message.errorCode, message.messageClass == .failure {
      requests.remove(at: index)
      handleError(error, message, of: request, at: now)
      return .consumed
    }
    guard message.messageClass == .success else { return .ignored }
    if request.isSigned, let key = authentication.key, !message.isAuthentic(bytes, key: key) {
      return .ignored
    }
    requests.remove(at: index)
    guard message.unknownRequiredTypes.isEmpty else { return .ignored }
    if let sample = request.schedule.roundTrip(at: now) { roundTripTime = sample }
    succeed(request, message, at: now)
    return .consumed
  }

  private func succeed(_ request: TURNRequest, _ message: STUNMessage, at now: Instant) {
    switch request.kind {
    case .allocate:
      guard let relayed = message.xorRelayedAddress else {
        lose(retrying: false, reason: "\(uri) gave no relayed address", at: now)
        return
      }
      state = .allocated
      failures = 0
      isResettingServer = false
      setLifetime(message.lifetime, at: now)
      mapped = message.mappedAddress
      base = CandidateBase(number: context.nextNumber(), relay: self, address: relayed)
      delegate?.turnAllocated(self, at: now)
    case .refresh(let asked):
      if asked == 0 {
        if isResettingServer { self.request(.allocate, at: now) }
      } else {
        setLifetime(message.lifetime, at: now)
      }
    case .createPermission(let ip):
      guard let index = permissions.firstIndex(where: { $0.ip == ip }) else { return }
      let isLate =
        permissions[index].grantedAt == nil && (request.challenges > 0 || request.schedule.sent > 1)
      permissions[index].grantedAt = now
      if isLate { delegate?.turnAllowed(self, peer: ip, at: now) }
    case .channelBind(let peer, let number):
      guard let index = channels.firstIndex(where: { $0.number == number && $0.peer == peer }) else { return }
      channels[index].boundAt = now
    }
  }

  /// Refreshes come a minute before the end, or half-way through short lifetimes.
  private func setLifetime(_ seconds: UInt32?, at now: Instant) {
    lifetime = min(seconds ?? 600, 86_400)
    let span = Interval.seconds(Int64(lifetime))
    refreshAt = now + (lifetime > 120 ? span - .seconds(60) : span / 2)
  }

  private func handleError(
    _ error: STUNErrorCode, _ message: STUNMessage, of request: TURNRequest, at now: Instant
  ) {
    switch error.code {
    case 401 where !request.isSigned, 438:
      // One challenge is the rule; a second one happens when the first nonce had run out meanwhile.
      guard request.challenges < 3, authentication.accept(challenge: message) else { break }
      self.request(request.kind, challenges: request.challenges + 1, at: now)
      return
    case 300 where request.kind == .allocate:
      guard let alternate = message.alternateServer, alternate.ip.family == server.ip.family, redirections < 3
      else { break }
      redirections += 1
      server = alternate
      if let stream {
        context.emit(.closeStream(stream))
        self.stream = nil
      }
      start(at: now)
      return
    case 437 where request.kind == .allocate && !isResettingServer:
      // The server still has an allocation of this socket, from a former life: give that back first.
      isResettingServer = true
      self.request(.refresh(lifetime: 0), at: now)
      return
    case 440 where request.kind == .allocate && family == nil:
      family = .ipv6
      self.request(.allocate, at: now)
      return
    default: break
    }
    refused(request, error, at: now)
  }

  private func refused(_ request: TURNRequest, _ error: STUNErrorCode, at now: Instant) {
    let reason = "\(uri) refuses: \(error.code) \(error.reason.prefix(80))"
    switch request.kind {
    case .allocate: lose(retrying: false, reason: reason, at: now)
    case .refresh(let asked):
      if asked == 0 {
        if isResettingServer { self.request(.allocate, at: now) }
      } else {
        lose(retrying: true, reason: reason, at: now)
      }
    case .createPermission(let ip):
      if error.code == 437 || error.code == 441 {
        lose(retrying: true, reason: reason, at: now)
      } else if let index = permissions.firstIndex(where: { $0.ip == ip }) {
        permissions[index].isForbidden = true
        context.emit(.note("\(uri) does not relay to \(ip): \(error.code)"))
      }
    case .channelBind(let peer, let number):
      if error.code == 437 || error.code == 441 {
        lose(retrying: true, reason: reason, at: now)
      } else {
        // Indications go on doing the work.
        channels.removeAll { $0.number == number && $0.peer == peer }
      }
    }
  }
}
