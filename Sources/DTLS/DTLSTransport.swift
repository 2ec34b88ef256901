import SRTP
import WireFormat

/// One DTLS association (RFC 6347) as a machine: datagrams and time in, datagrams, data and events out.
///
/// Order of calls: `handle` may come before `start` (early datagrams are kept), and `prepare` too; after each input drain
/// `nextTransmit()`, `nextReceived()`, `nextEvent()` and ask for `nextTimeout()`. Buffers that come out
/// belong to the caller, who gives them back to the pool.
///
/// Not thread-safe: one owner.
@usableFromInline package final class DTLSTransport {
  /// Datagrams that may come before `start`: a ClientHello in two fragments, repeated a few times. Further
  /// ones are dropped; the peer sends them again.
  package static let earlyDatagramLimit = 16
  /// The largest early datagram that is kept.
  package static let earlyDatagramSize = 2048
  /// The most bytes a peer may send before the end of the handshake. An ordinary one has 2 KB; with an
  /// RSA-4096 certificate and every flight repeated 12 times it is 60 KB.
  package static let handshakeByteLimit = 256 * 1024
  /// The most encrypted records given to OpenSSL before it has the keys: it keeps each in 17 KB of its own.
  package static let handshakeProtectedRecordLimit = 32
  /// Received messages that wait for `nextReceived()`; beyond, the newest is dropped and SCTP repairs it.
  package static let receivedLimit = 256

  /// Whether a datagram's first byte says DTLS (RFC 7983 section 7).
  @inlinable package static func isDTLS(firstByte: UInt8) -> Bool {
    firstByte >= 20 && firstByte <= 63
  }

  private enum State {
    /// Before `start`: datagrams are kept.
    case waiting
    /// The same, with a client's first flight made.
    case prepared(OpenSSLSession)
    case handshaking(OpenSSLSession)
    /// The handshake is done, but no fingerprints were signalled yet: nothing is released.
    case unverified(OpenSSLSession)
    case connected(OpenSSLSession)
    case ended
  }

  /// May change until `prepare` or `start`: the answer in SDP decides it.
  package var role: DTLSRole
  package private(set) var remoteFingerprints: [DTLSFingerprint]

  private let certificate: DTLSCertificate
  private let srtpProfiles: [SRTPProfile]
  private let mtu: Int
  private let pool: PacketPool
  private let bio: DatagramBIO
  private var state = State.waiting
  /// What came before `start`.
  private var early: [[UInt8]] = []
  private var received = FIFO<PacketBuffer>(minimumCapacity: DTLSTransport.receivedLimit)
  private var events: [DTLSEvent] = []
  private var timer = HandshakeTimer()
  private var handshakeBytes = 0
  private var handshakeProtectedRecords = 0
  private var counters = DTLSStatistics()

  /// - Parameters:
  ///   - role: who starts; may be changed until `prepare` or `start`.
  ///   - remoteFingerprints: what the peer signalled; may come later by `setRemoteFingerprints`.
  ///   - srtpProfiles: to offer, or to choose from, best first; empty for data channels alone.
  ///   - mtu: bytes that a datagram of the handshake may have.
  ///   - pool: where the buffers of `nextTransmit()` and `nextReceived()` come from.
  package init(
    role: DTLSRole, certificate: DTLSCertificate, remoteFingerprints: [DTLSFingerprint] = [],
    srtpProfiles: [SRTPProfile] = SRTPProfile.preferenceOrder, mtu: Int = 1200, pool: PacketPool
  ) {
    self.role = role
    self.certificate = certificate
    self.remoteFingerprints = remoteFingerprints
    self.srtpProfiles = srtpProfiles
    self.mtu = min(max(mtu, 256), pool.bufferCapacity - PacketBuffer.defaultHeadroom)
    self.pool = pool
    bio = DatagramBIO(pool: pool)
  }

  package var statistics: DTLSStatistics {
    var result = counters
    result.datagramsSent = bio.sent
    result.queueDropped &+= bio.dropped
    return result
  }

  package var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  // MARK: Inputs

  /// The fingerprints that the peer signalled. Only the first call counts; an empty list is no call.
  package func setRemoteFingerprints(_ fingerprints: [DTLSFingerprint], at now: Instant) {
    guard remoteFingerprints.isEmpty, !fingerprints.isEmpty else { return }
    remoteFingerprints = fingerprints
    switch state {
    case .unverified(let session): verify(session)
    case .handshaking(let session), .prepared(let session): session.fingerprints = fingerprints
    case .waiting, .connected, .ended: break
    }
    timer.update(bio: bio, session: session, at: now)
  }

  /// Does what needs no path yet, so that it is done when there is one: makes the connection object and, for a
  /// client, its first flight with the key pair in it. The role is final from here on.
  package func prepare() {
    guard case .waiting = state else { return }
    do throws(DTLSError) {
      let session = try OpenSSLSession(
        role: role, certificate: certificate, fingerprints: remoteFingerprints, srtpProfiles: srtpProfiles,
        mtu: mtu, bio: bio)
      state = .prepared(session)
      // Nothing can have failed here but the library itself, which says so again at the start.
      if role == .client { _ = session.handshake() }
    } catch {
      fail(error)
    }
  }

  /// Begins the handshake over a path that can carry it, and takes up what came early.
  ///
  /// - Parameter roundTripTime: what ICE measured on the path: the first retransmission comes after twice
  ///   that time, but not before 20 ms.
  package func start(at now: Instant, roundTripTime: Interval? = nil) {
    prepare()
    guard case .prepared(let session) = state else { return }
    state = .handshaking(session)
    session.begin(RetransmissionSchedule(roundTripTime: roundTripTime))
    advance(session)
    timer.update(bio: bio, session: self.session, at: now)
    let kept = early
    early = []
    for datagram in kept {
      process(datagram.rawSpan, at: now)
    }
  }

  /// Takes a datagram that ``isDTLS(firstByte:)`` sorted out.
  package func handle(_ datagram: RawSpan, at now: Instant) {
    counters.datagramsReceived &+= 1
    process(datagram, at: now)
  }

  private func process(_ datagram: RawSpan, at now: Instant) {
    switch state {
    case .waiting, .prepared:
      keep(datagram)
      return
    case .handshaking(let session):
      guard admitDuringHandshake(datagram) else { return }
      bio.withInput(datagram) { advance(session) }
    case .unverified(let session), .connected(let session):
      bio.withInput(datagram) { readAll(session) }
    case .ended:
      counters.ignored &+= 1
      return
    }
    timer.update(bio: bio, session: session, at: now)
  }

  private func keep(_ datagram: RawSpan) {
    guard early.count < Self.earlyDatagramLimit, datagram.byteCount <= Self.earlyDatagramSize,
      Self.records(in: datagram) != nil
    else {
      counters.earlyDropped &+= 1
      return
    }
    early.append(datagram.copyBytes())
  }

  /// Encrypts `data` as one record in one datagram.
  package func send(_ data: RawSpan, at now: Instant) throws(DTLSError) {
    guard case .connected(let session) = state else { throw .notConnected }
    guard data.byteCount <= sendLimit else { throw .messageTooLarge(limit: sendLimit) }
    guard data.byteCount > 0 else { return }
    switch session.write(data) {
    case .done, .blocked: break
    case .closed: throw .notConnected
    case .failed(let error):
      fail(error)
      throw error
    }
  }

  /// The most bytes that `send` takes: what fits in a pooled buffer with the record's header and tag.
  package var sendLimit: Int {
    min(OpenSSLSession.recordLimit, pool.bufferCapacity - PacketBuffer.defaultHeadroom - Self.recordOverhead)
  }

  /// Header, explicit nonce and tag of an AES-GCM record; ChaCha20-Poly1305 has 8 less.
  package static let recordOverhead = 13 + 8 + 16

  /// To be called when the moment of `nextTimeout()` has come.
  package func handleTimeout(at now: Instant) {
    guard let session, timer.isDue(at: now) else { return }
    let before = session.expirations
    if case .failed(let error) = session.retransmit() {
      fail(error)
    }
    counters.retransmissions &+= session.expirations &- before
    timer.rearm(bio: bio, session: self.session, at: now)
  }

  /// Ends the connection: close_notify goes out when there is a connection, and nothing is reported any more.
  package func close(at now: Instant) {
    switch state {
    case .unverified(let session), .connected(let session): session.shutdown()
    case .prepared:
      // What was never sent needs no end.
      while let buffer = bio.nextOutgoing() { pool.give(consume buffer) }
    case .waiting, .handshaking, .ended: break
    }
    end()
    events.removeAll()
  }

  // MARK: Outputs

  /// The next datagram to send, with headroom for TURN framing.
  package func nextTransmit() -> PacketBuffer? {
    if case .prepared = state { return nil }
    return bio.nextOutgoing()
  }

  /// The next message that arrived: the data of one record.
  package func nextReceived() -> PacketBuffer? {
    // What came before the peer's certificate could be checked stays locked up.
    if case .unverified = state { return nil }
    return received.popFirst()
  }

  package func nextEvent() -> DTLSEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }

  package func nextTimeout() -> Instant? {
    timer.deadline
  }

  // MARK: Progress

  private var session: OpenSSLSession? {
    switch state {
    case .handshaking(let session), .unverified(let session), .connected(let session): session
    case .waiting, .prepared, .ended: nil
    }
  }

  private func advance(_ session: OpenSSLSession) {
    switch session.handshake() {
    case .blocked: break
    case .closed: closedByPeer(session)
    case .failed(let error): fail(error)
    case .done:
      state = .unverified(session)
      if !remoteFingerprints.isEmpty { verify(session) }
      // The datagram that ended the handshake may carry data behind it.
      if let session = self.session { readAll(session) }
    }
  }

  private func verify(_ session: OpenSSLSession) {
    guard let peerCertificate = session.peerCertificate else { return fail(.noPeerCertificate) }
    guard remoteFingerprints.contains(where: { $0.matches(peerCertificate) }) else {
      // After the handshake the library has no way to send bad_certificate: close_notify it is.
      session.shutdown()
      return fail(.fingerprintMismatch)
    }
    state = .connected(session)
    events.append(
      .connected(
        DTLSConnection(
          role: role, version: session.version, cipher: session.cipher, srtp: session.exportSRTPKeys(),
          peerCertificate: peerCertificate)))
  }

  private func readAll(_ session: OpenSSLSession) {
    while true {
      let buffer = pool.take()
      let progress = session.read(into: buffer)
      if case .done = progress {
        if received.count < DTLSTransport.receivedLimit {
          received.append(buffer)
        } else {
          counters.queueDropped &+= 1
          pool.give(consume buffer)
        }
        continue
      }
      pool.give(consume buffer)
      switch progress {
      case .done, .blocked: break
      case .closed: closedByPeer(session)
      case .failed(let error): fail(error)
      }
      return
    }
  }

  private func closedByPeer(_ session: OpenSSLSession) {
    session.shutdown()
    end()
    events.append(.closed)
  }

  private func fail(_ error: DTLSError) {
    end()
    events.append(.failed(error))
  }

  /// Frees the session, and with it all keys. What waits to be sent stays.
  private func end() {
    if case .unverified = state {
      while let buffer = received.popFirst() {
        pool.give(consume buffer)
      }
    }
    state = .ended
    early = []
    timer.cancel()
  }

  // MARK: Limits of the unauthenticated

  private func admitDuringHandshake(_ datagram: RawSpan) -> Bool {
    guard let protected = Self.records(in: datagram) else {
      counters.ignored &+= 1
      return false
    }
    guard handshakeBytes + datagram.byteCount <= Self.handshakeByteLimit else {
      fail(.handshakeTooLarge)
      return false
    }
    guard handshakeProtectedRecords + protected <= Self.handshakeProtectedRecordLimit else {
      counters.ignored &+= 1
      return false
    }
    handshakeBytes += datagram.byteCount
    handshakeProtectedRecords += protected
    return true
  }

  /// How many encrypted records the datagram has; nil when its first record is none.
  private static func records(in datagram: RawSpan) -> Int? {
    var reader = DTLSRecordReader(datagram)
    var protected = 0
    var total = 0
    while let header = try? reader.next() {
      total += 1
      if header.isProtected { protected += 1 }
    }
    return total > 0 ? protected : nil
  }
}
