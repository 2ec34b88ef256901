import STUN
import WireFormat

/// One allocation on a TURN server, over UDP from one of our sockets or over a stream (RFC 8656).
final class TURNClient {
  enum Output: Equatable {
    case consumed
    /// Damaged or unwanted.
    case ignored
    /// Not TURN's: something else from the same address.
    case unclaimed
    /// From a peer; `range` of what was handed in is its payload.
    case data(peer: SocketAddress, range: Range<Int>)
  }

  enum State {
    case idle
    /// The stream is being opened.
    case connecting
    case allocating
    case allocated
    /// The allocation is gone; the next attempt comes at `until`.
    case waiting(until: Instant)
    case closed
  }

  static let attempts = 5

  let context: ICEContext
  let uri: ICEServerURI
  private(set) var server: SocketAddress
  /// The socket that a UDP client sends from; nil for streams.
  let socket: CandidateBase?
  private(set) var stream: ICEStreamID?
  private(set) var state = State.idle
  /// The relayed address.
  private(set) var base: CandidateBase?
  private(set) var mapped: SocketAddress?
  weak var delegate: (any TURNClientDelegate)?

  private var authentication: LongTermAuthentication
  var requests: [TURNRequest] = []
  var permissions: [TURNPermission] = []
  var channels: [TURNChannel] = []
  private var nextChannel = ChannelData.numbers.lowerBound
  private var framer = TURNStreamFramer()
  private var refreshAt: Instant?
  private var lifetime: UInt32 = 600
  private var lastSent = Instant.origin
  private var lastVerified: Instant?
  private var roundTripTime: Interval?
  private var failures = 0
  private var redirections = 0
  private var family: IPAddress.Family?
  private var template: (peer: SocketAddress, bytes: [UInt8])?
  private var isResettingServer = false

  init(
    context: ICEContext, uri: ICEServerURI, server: SocketAddress, socket: CandidateBase?, username: String,
    password: String
  ) {
    self.context = context
    self.uri = uri
    self.server = server
    self.socket = socket
    authentication = LongTermAuthentication(username: username, password: password)
  }

  var transport: ICEServerURI.Transport { uri.transport }

  /// UDP to the server before TCP, TCP before TLS.
  var transportPreference: LocalInterfaceAddress.Kind {
    uri.scheme.isSecure ? .vpn : transport == .tcp ? .cellular : .loopback
  }

  var path: ICETransmitPath {
    if let stream { return .stream(stream) }
    return .datagram(local: socket?.address ?? server, remote: server)
  }

  var isAllocated: Bool { if case .allocated = state { true } else { false } }

  /// Whether the first outcome is still open.
  var isPending: Bool {
    switch state {
    case .idle, .connecting, .allocating: true
    case .allocated, .waiting, .closed: false
    }
  }

  // MARK: Life

  func start(at now: Instant) {
    if transport == .tcp {
      let id = ICEStreamID(number: context.nextNumber())
      stream = id
      framer = TURNStreamFramer()
      state = .connecting
      context.emit(
        .openStream(id: id, to: server, tlsServerName: uri.scheme.isSecure ? uri.host : nil))
    } else {
      state = .allocating
      request(.allocate, at: now)
    }
  }

  func streamConnected(local: SocketAddress?, at now: Instant) {
    guard case .connecting = state else { return }
    state = .allocating
    request(.allocate, at: now)
  }

  func streamFailed(at now: Instant) {
    guard stream != nil else { return }
    stream = nil
    lose(retrying: true, reason: "the connection to \(uri) failed", at: now)
  }

  /// Gives the allocation back and forgets everything.
  func close(at now: Instant) {
    if case .closed = state { return }
    if isAllocated { request(.refresh(lifetime: 0), at: now) }
    if let stream { context.emit(.closeStream(stream)) }
    end(at: now)
  }

  /// The socket is gone: nothing can be sent any more.
  func abandon(at now: Instant) {
    end(at: now)
  }

  private func end(at now: Instant) {
    state = .closed
    stream = nil
    forget(at: now)
  }

  private func forget(at now: Instant) {
    requests = []
    permissions = []
    channels = []
    template = nil
    refreshAt = nil
    nextChannel = ChannelData.numbers.lowerBound
    if let gone = base {
      base = nil
      gone.close()
      delegate?.turnLost(self, base: gone, at: now)
    }
  }

  /// The allocation is gone, or could not be made. Tries again after 0 (first time), 1, 2, 4 and 8 s.
  private func lose(retrying: Bool, reason: String, at now: Instant) {
    if case .closed = state { return }
    let wasAllocated = isAllocated
    if let stream {
      context.emit(.closeStream(stream))
      self.stream = nil
    }
    failures += 1
    guard retrying, wasAllocated || failures > 1 || transport == .tcp, failures <= TURNClient.attempts else {
      end(at: now)
      delegate?.turnFailed(self, reason: reason, at: now)
      return
    }
    let wait = failures == 1 && wasAllocated ? Interval.zero : .seconds(Int64(1) << Int64(failures - 1))
    state = .waiting(until: now + wait)
    forget(at: now)
    if wait == .zero { start(at: now) }
  }

  // MARK: Requests

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

  // MARK: Peers

  /// Asks for a permission unless there is one or it is on its way. False: the server refused this peer.
  func permit(_ ip: IPAddress, at now: Instant) -> Bool {
    if let index = permissions.firstIndex(where: { $0.ip == ip }) {
      permissions[index].lastUsed = now
      return !permissions[index].isForbidden
    }
    if permissions.count >= context.limits.permissions {
      guard let oldest = permissions.indices.min(by: { permissions[$0].lastUsed < permissions[$1].lastUsed })
      else { return false }
      permissions.remove(at: oldest)
    }
    permissions.append(TURNPermission(ip: ip, lastUsed: now))
    request(.createPermission(ip), at: now)
    return true
  }

  /// Sends a message to a peer. A permission is asked for right before, without waiting for the answer: the
  /// server handles both in order, which saves a round trip.
  func send(_ payload: [UInt8], to peer: SocketAddress, at now: Instant) {
    guard isAllocated, permit(peer.ip, at: now) else { return }
    if let channel = channels.first(where: { $0.peer == peer && $0.boundAt != nil }) {
      var writer = ByteWriter(capacity: payload.count + 7)
      writer.write(channel.header)
      writer.write(payload)
      writer.set(UInt16(truncatingIfNeeded: payload.count), at: 2)
      if stream != nil { writer.writeZeros(-payload.count & 3) }
      transmit(writer.bytes, at: now)
    } else {
      transmit(TURNIndication.wrap(payload, template: sendTemplate(peer)), at: now)
    }
  }

  /// Adds the framing to an application datagram; nil when it has no room or there is no allocation.
  func wrap(_ packet: PacketBuffer, to peer: SocketAddress, at now: Instant) -> ICETransmitPath? {
    guard isAllocated, permit(peer.ip, at: now) else { return nil }
    do throws(WireError) {
      if let channel = channels.first(where: { $0.peer == peer && $0.boundAt != nil }) {
        let length = packet.count
        if stream != nil { try packet.appendZeros(-length & 3) }
        try packet.prepend(channel.header)
        packet.set(UInt16(truncatingIfNeeded: length), at: 2)
      } else {
        try TURNIndication.wrap(packet, template: sendTemplate(peer))
      }
    } catch {
      return nil
    }
    lastSent = now
    return path
  }

  private func sendTemplate(_ peer: SocketAddress) -> [UInt8] {
    if let template, template.peer == peer { return template.bytes }
    let bytes = TURNIndication.sendTemplate(to: peer, transactionID: context.transactionID())
    template = (peer, bytes)
    return bytes
  }

  /// This peer's pair carries data: give it a channel.
  func bindChannel(_ peer: SocketAddress, at now: Instant) {
    guard isAllocated, !channels.contains(where: { $0.peer == peer }),
      nextChannel <= ChannelData.numbers.upperBound
    else { return }
    channels.append(TURNChannel(number: nextChannel, peer: peer))
    request(.channelBind(peer, nextChannel), at: now)
    nextChannel += 1
  }

  // MARK: Input

  func handle(_ bytes: RawSpan, at now: Instant) -> Output {
    if case .closed = state { return .unclaimed }
    guard let first = bytes.byte(at: 0) else { return .ignored }
    if (0x40...0x4F).contains(first) {
      guard let (number, range) = ChannelData.parse(bytes),
        let channel = channels.first(where: { $0.number == number })
      else { return .ignored }
      return .data(peer: channel.peer, range: range)
    }
    guard STUNHeader.isPlausible(bytes) else { return .ignored }
    if let (peer, range) = TURNIndication.parseData(bytes) {
      guard permissions.contains(where: { $0.ip == peer.ip }) else { return .ignored }
      return .data(peer: peer, range: range)
    }
    guard let message = try? STUNMessage(decoding: bytes) else { return .ignored }
    return handleResponse(message, bytes: bytes, at: now)
  }

  func append(_ bytes: RawSpan) {
    framer.append(bytes)
  }

  func nextFrame() -> [UInt8]? { framer.next() }

  /// Ends a stream whose bytes are no TURN.
  func checkStream(at now: Instant) {
    guard framer.isBroken, stream != nil else { return }
    lose(retrying: true, reason: "\(uri) sends what is not TURN", at: now)
  }

  // MARK: Time

  /// Data does not come through: find out whether the allocation still stands (RFC 8656 section 7.2: a
  /// server that does not know us answers 437). At most once in 3 s.
  func verify(at now: Instant) {
    guard isAllocated, !requests.contains(where: { $0.kind == .refresh(lifetime: nil) }) else { return }
    if let lastVerified, now < lastVerified + .seconds(3) { return }
    lastVerified = now
    request(.refresh(lifetime: nil), at: now)
  }

  func handleTimeout(at now: Instant) {
    if case .closed = state { return }
    if case .waiting(let until) = state {
      if now >= until { start(at: now) }
      return
    }
    expireRequests(at: now)
    guard isAllocated else { return }
    if let refreshAt, now >= refreshAt {
      self.refreshAt = nil
      if !requests.contains(where: { $0.kind == .refresh(lifetime: nil) }) {
        request(.refresh(lifetime: nil), at: now)
      }
    }
    refreshPermissions(at: now)
    refreshChannels(at: now)
    if transport == .udp, now >= lastSent + context.timing.serverKeepAlive {
      // An indication keeps the NAT's mapping and wants no answer (RFC 8489 section 6.1).
      let message = STUNMessage(.indication, .binding, transactionID: context.transactionID())
      transmit(message.encoded(), at: now)
    }
  }

  private func expireRequests(at now: Instant) {
    var index = 0
    while index < requests.count {
      guard requests[index].schedule.next <= now else {
        index += 1
        continue
      }
      if requests[index].schedule.expire(at: now) {
        transmit(requests[index].bytes, at: now)
        index += 1
        continue
      }
      let request = requests.remove(at: index)
      switch request.kind {
      case .allocate, .refresh:
        lose(retrying: true, reason: "\(uri) does not answer", at: now)
        return
      case .createPermission(let ip): permissions.removeAll { $0.ip == ip && $0.grantedAt == nil }
      case .channelBind(let peer, _): channels.removeAll { $0.peer == peer && $0.boundAt == nil }
      }
    }
  }

  private func refreshPermissions(at now: Instant) {
    for index in permissions.indices {
      guard let time = permissions[index].refreshTime, now >= time else { continue }
      let ip = permissions[index].ip
      if requests.contains(where: { $0.kind == .createPermission(ip) }) { continue }
      request(.createPermission(ip), at: now)
      // The next attempt, should this one get lost altogether, comes before the permission ends.
      permissions[index].grantedAt = now - TURNPermission.refreshInterval + .seconds(20)
    }
  }

  private func refreshChannels(at now: Instant) {
    for index in channels.indices {
      guard let time = channels[index].refreshTime, now >= time else { continue }
      let channel = channels[index]
      let kind = TURNRequest.Kind.channelBind(channel.peer, channel.number)
      if requests.contains(where: { $0.kind == kind }) { continue }
      request(kind, at: now)
      channels[index].boundAt = now - TURNChannel.refreshInterval + .seconds(50)
    }
  }

  func nextTimeout() -> Instant? {
    switch state {
    case .closed: return nil
    case .waiting(let until): return until
    case .idle, .connecting, .allocating, .allocated: break
    }
    var next: Instant?
    for request in requests { next = .earliest(next, request.schedule.next) }
    guard isAllocated else { return next }
    next = .earliest(next, refreshAt)
    for permission in permissions { next = .earliest(next, permission.refreshTime) }
    for channel in channels { next = .earliest(next, channel.refreshTime) }
    if transport == .udp { next = .earliest(next, lastSent + context.timing.serverKeepAlive) }
    return next
  }
}

extension TURNRequest.Kind {
  var method: STUNMethod {
    switch self {
    case .allocate: .allocate
    case .refresh: .refresh
    case .createPermission: .createPermission
    case .channelBind: .channelBind
    }
  }
}
