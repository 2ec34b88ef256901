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
  var server: SocketAddress
  /// The socket that a UDP client sends from; nil for streams.
  let socket: CandidateBase?
  var stream: ICEStreamID?
  var state = State.idle
  /// The relayed address.
  var base: CandidateBase?
  var mapped: SocketAddress?
  weak var delegate: (any TURNClientDelegate)?

  var authentication: LongTermAuthentication
  var requests: [TURNRequest] = []
  var permissions: [TURNPermission] = []
  var channels: [TURNChannel] = []
  var nextChannel = ChannelData.numbers.lowerBound
  var framer = TURNStreamFramer()
  var refreshAt: Instant?
  var lifetime: UInt32 = 600
  var lastSent = Instant.origin
  private var lastVerified: Instant?
  var roundTripTime: Interval?
  var failures = 0
  var redirections = 0
  var family: IPAddress.Family?
  var template: (peer: SocketAddress, bytes: [UInt8])?
  var isResettingServer = false

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
  func lose(retrying: Bool, reason: String, at now: Instant) {
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
