import DTLS
import ICE
import SCTP
import SRTP
import WireFormat

/// The one transport of a bundled connection: ICE below, DTLS over the pair that it selects, SRTP keys from
/// the handshake, SCTP inside of it (RFC 8843, RFC 8835).
///
/// A machine: fed datagrams and time, drained of ``PeerTransmit``s. The layers start one another without a
/// timer in between: the first usable pair starts the handshake, its end starts the association.
final class BundleTransport {
  /// Datagrams waiting for the driver. It drains after each input, so this fills up only when a driver stalls;
  /// then the newest are dropped, as a full socket would.
  static let outgoingLimit = 4096

  let ice: ICEAgent
  let dtls: DTLSTransport
  let dataChannels: DataChannelTransport
  private(set) var srtp: SRTPSession?
  private(set) var handshake: DTLSConnection?
  private let pool: PacketPool
  private var outgoing = FIFO<PeerTransmit>()
  private var dataChannelStart: DataChannelStart?
  private(set) var droppedOutgoing = 0
  private(set) var unprotectFailures = 0
  private(set) var isDTLSStarted = false
  private var isRoleKnown = false

  /// What the association needs of the descriptions.
  struct DataChannelStart {
    var remoteMaxMessageSize: UInt64?
    var remoteInit: [UInt8]?
  }

  init(ice: ICEAgent, dtls: DTLSTransport, dataChannels: DataChannelTransport, pool: PacketPool) {
    self.ice = ice
    self.dtls = dtls
    self.dataChannels = dataChannels
    self.pool = pool
  }

  // MARK: Negotiated parameters

  /// The descriptions say who is who: the handshake may begin. Later calls (renegotiation) change nothing.
  func startDTLS(role: DTLSRole, fingerprints: [DTLSFingerprint], at now: Instant) {
    dtls.setRemoteFingerprints(fingerprints, at: now)
    guard !isRoleKnown else { return }
    isRoleKnown = true
    dtls.role = role
    startDTLSIfPossible(at: now)
  }

  /// The data section was accepted: the association starts with the handshake's end.
  func startDataChannels(_ start: DataChannelStart, at now: Instant) {
    guard dataChannelStart == nil else { return }
    dataChannelStart = start
    startAssociationIfPossible(at: now)
  }

  /// What can be done of the handshake before there is a path for it. Takes as long as ICE's checks do on a fast
  /// network: to be called once their packets are out.
  func prepareDTLS() {
    guard isRoleKnown, !isDTLSStarted else { return }
    dtls.prepare()
  }

  private func startDTLSIfPossible(at now: Instant) {
    guard isRoleKnown, !isDTLSStarted, ice.selectedPair != nil else { return }
    isDTLSStarted = true
    dtls.start(at: now, roundTripTime: ice.roundTripTime)
  }

  private func startAssociationIfPossible(at now: Instant) {
    guard let start = dataChannelStart, dtls.isConnected else { return }
    dataChannels.start(
      isDTLSClient: dtls.role == .client, remoteMaxMessageSize: start.remoteMaxMessageSize,
      remoteInit: start.remoteInit, at: now)
  }

  // MARK: Input

  /// What a datagram turned out to be for those above: decrypted in place, or nothing.
  enum Arrival {
    case none
    case rtp
    case rtcp
  }

  /// Takes one datagram; what is media is decrypted in `buffer`, which the caller then hands on.
  func handle(
    _ buffer: PacketBuffer, from remote: SocketAddress, to local: SocketAddress, at now: Instant
  ) -> Arrival {
    switch PacketKind(buffer.bytes) {
    case .stun, .turnChannel:
      guard case .application(let range, _) = ice.handle(buffer.bytes, from: remote, to: local, at: now)
      else {
        return .none
      }
      buffer.narrow(to: range)
      return handleApplication(buffer, at: now)
    case .dtls, .rtp, .rtcp:
      // ICE says whether the pair is known and counts the bytes.
      guard case .application = ice.handle(buffer.bytes, from: remote, to: local, at: now) else {
        return .none
      }
      return handleApplication(buffer, at: now)
    case .unknown: return .none
    }
  }

  /// The same for bytes of a TURN server's stream; each datagram that they complete goes to `body`, which gives its
  /// buffer back.
  func handleStream(
    _ bytes: RawSpan, id: ICEStreamID, at now: Instant, _ body: (consuming PacketBuffer, Arrival) -> Void
  ) {
    var payloads: [[UInt8]] = []
    ice.handleStream(bytes, from: id, at: now) { payload, _ in payloads.append(payload.copyBytes()) }
    for payload in payloads {
      let buffer = pool.take()
      guard (try? buffer.assign(payload.rawSpan)) != nil else {
        pool.give(buffer)
        continue
      }
      let arrival = handleApplication(buffer, at: now)
      body(buffer, arrival)
    }
  }

  private func handleApplication(_ buffer: PacketBuffer, at now: Instant) -> Arrival {
    switch PacketKind(buffer.bytes) {
    case .dtls:
      dtls.handle(buffer.bytes, at: now)
      return .none
    case .rtp:
      guard let srtp, (try? srtp.unprotectRTP(buffer)) != nil else {
        unprotectFailures += 1
        return .none
      }
      return .rtp
    case .rtcp:
      guard let srtp, (try? srtp.unprotectRTCP(buffer)) != nil else {
        unprotectFailures += 1
        return .none
      }
      return .rtcp
    case .stun, .turnChannel, .unknown: return .none
    }
  }

  // MARK: Progress

  /// What happened since the last call, for the connection above.
  enum Event {
    case ice(ICEEvent)
    case dtlsConnected
    case dtlsClosed
    case dtlsFailed(DTLSError)
    case dataChannel(DataChannelEvent)
  }

  /// Moves bytes between the layers until nothing moves, and reports what happened.
  func advance(at now: Instant, _ report: (Event) -> Void) {
    var progressed = true
    while progressed {
      progressed = false
      while let event = ice.nextEvent() {
        progressed = true
        if case .selectedPairChanged = event { startDTLSIfPossible(at: now) }
        report(.ice(event))
      }
      while let event = dtls.nextEvent() {
        progressed = true
        handle(event, at: now, report)
      }
      while let packet = dtls.nextReceived() {
        progressed = true
        dataChannels.handle(packet.bytes, at: now)
        pool.give(packet)
      }
      if drainAssociation(at: now) { progressed = true }
      while let event = dataChannels.nextEvent() {
        progressed = true
        report(.dataChannel(event))
      }
    }
    while let transmit = ice.nextTransmit() {
      let buffer = pool.take()
      guard (try? buffer.assign(transmit.payload.rawSpan)) != nil else {
        pool.give(buffer)
        continue
      }
      enqueue(PeerTransmit(path: transmit.path, buffer: buffer))
    }
    while let packet = dtls.nextTransmit() { route(packet, at: now) }
  }

  private func handle(_ event: DTLSEvent, at now: Instant, _ report: (Event) -> Void) {
    switch event {
    case .connected(let connection):
      handshake = connection
      if let keys = connection.srtp {
        let isClient = connection.role == .client
        srtp = try? SRTPSession(
          inbound: isClient ? keys.server : keys.client, outbound: isClient ? keys.client : keys.server)
      }
      report(.dtlsConnected)
      startAssociationIfPossible(at: now)
    case .closed: report(.dtlsClosed)
    case .failed(let error): report(.dtlsFailed(error))
    }
  }

  /// One SCTP packet is one record.
  private func drainAssociation(at now: Instant) -> Bool {
    guard dtls.isConnected else { return false }
    var sent = false
    while true {
      let packet = pool.take()
      defer { pool.give(packet) }
      guard dataChannels.nextTransmit(into: packet, at: now) else { return sent }
      sent = true
      guard (try? dtls.send(packet.bytes, at: now)) != nil else { return sent }
      while let record = dtls.nextTransmit() { route(record, at: now) }
    }
  }

  // MARK: Output

  /// Encrypts and sends an RTP packet; it is dropped while there are no keys or no path.
  func send(rtp packet: PacketBuffer, at now: Instant) {
    guard let srtp, (try? srtp.protectRTP(packet)) != nil else {
      pool.give(packet)
      return
    }
    route(packet, at: now)
  }

  /// The same for an RTCP packet.
  func send(rtcp packet: PacketBuffer, at now: Instant) {
    guard let srtp, (try? srtp.protectRTCP(packet)) != nil else {
      pool.give(packet)
      return
    }
    route(packet, at: now)
  }

  private func route(_ packet: PacketBuffer, at now: Instant) {
    guard let path = ice.route(packet, at: now) else {
      droppedOutgoing += 1
      pool.give(packet)
      return
    }
    enqueue(PeerTransmit(path: path, buffer: packet))
  }

  private func enqueue(_ transmit: PeerTransmit) {
    guard outgoing.count < BundleTransport.outgoingLimit else {
      droppedOutgoing += 1
      pool.give(transmit.buffer)
      return
    }
    outgoing.append(transmit)
  }

  func nextTransmit() -> PeerTransmit? { outgoing.popFirst() }

  func nextTimeout() -> Instant? {
    var next = ice.nextTimeout()
    next = Optional.earliest(next, dtls.nextTimeout())
    return Optional.earliest(next, dataChannels.nextTimeout())
  }

  func handleTimeout(at now: Instant) {
    if let due = ice.nextTimeout(), due <= now { ice.handleTimeout(at: now) }
    if let due = dtls.nextTimeout(), due <= now { dtls.handleTimeout(at: now) }
    if let due = dataChannels.nextTimeout(), due <= now { dataChannels.handleTimeout(at: now) }
  }

  /// Tells the peer (SCTP ABORT inside DTLS, then close_notify); what was produced must still be sent.
  func close(at now: Instant) {
    if dtls.isConnected {
      dataChannels.abort(reason: "closed by the user", at: now)
      _ = drainAssociation(at: now)
    }
    dtls.close(at: now)
    while let packet = dtls.nextTransmit() { route(packet, at: now) }
    ice.close(at: now)
    advance(at: now) { _ in }
  }
}
