import DTLS
import ICE
import RTP
import SCTP
import SDP
import SRTP
import WireFormat

/// One bundled WebRTC connection: the machine that ties ICE, DTLS, SRTP, SCTP and RTP together.
///
/// It does no I/O and has no clock. Its owner feeds it (`handle`, `handleTimeout`, calls), then calls
/// ``advance(at:)`` and drains ``nextTransmit()`` and ``nextEvent()``; ``nextTimeout()`` says when it wants to
/// be called again. One thread owns it.
package final class PeerConnection {
  /// Events that may wait. The owner drains after each input, so this is reached only by one that stalls; then
  /// media events are dropped first.
  package static let eventLimit = 8192

  package let configuration: PeerConnectionConfiguration
  package private(set) var state = PeerConnectionState.new
  private let transport: BundleTransport
  private let negotiator: SessionNegotiator
  private let channels: MessageChannelTable
  private let media: MediaEngine
  private let pool: PacketPool
  private var events = FIFO<PeerConnectionEvent>()
  private(set) var droppedEvents = 0
  private var iceState = ICEConnectionState.new
  private var failure: PeerConnectionFailure?

  /// - Parameters:
  ///   - role: who describes the session first; the offerer is ICE's controlling side.
  ///   - certificate: this side's identity; may be shared by connections for a while.
  ///   - pool: where packets come from and go back to.
  ///   - random: the system's, or a seeded one in simulations.
  package init(
    configuration: PeerConnectionConfiguration, role: NegotiationRole, certificate: DTLSCertificate,
    pool: PacketPool, random: RandomSource
  ) {
    var random = random
    self.configuration = configuration
    self.pool = pool
    var iceConfiguration = ICEConfiguration(
      role: role == .offerer ? .controlling : .controlled)
    if configuration.relayOnly { iceConfiguration.policy = .relay }
    var sctpConfiguration = SCTPConfiguration()
    sctpConfiguration.localMaxMessageSize = Int(clamping: configuration.maxMessageSize)
    let dataChannels = DataChannelTransport(
      configuration: sctpConfiguration, random: random.split())
    transport = BundleTransport(
      ice: ICEAgent(configuration: iceConfiguration, random: random.split()),
      dtls: DTLSTransport(role: .server, certificate: certificate, pool: pool), dataChannels: dataChannels,
      pool: pool)
    channels = MessageChannelTable(transport: dataChannels)
    media = MediaEngine(
      unixTimeAtOrigin: configuration.unixTimeAtOrigin, pool: pool, random: random.split())
    negotiator = SessionNegotiator(
      configuration: configuration, role: role, fingerprint: certificate.fingerprint,
      sctpInit: configuration.offersSCTPInit ? dataChannels.localInit : nil,
      random: random.split())
  }

  // MARK: Description

  /// Adds a section to the next offer. Sections keep their order and their mid (`0`, `1`, …).
  ///
  /// - Returns: the section's mid.
  package func addTransceiver(_ kind: MediaKind, direction: MediaDirection) -> String {
    negotiator.addTransceiver(kind, direction: direction)
  }

  /// What the section `mid` wants in the next description.
  package func setDirection(_ direction: MediaDirection, of mid: String) {
    negotiator.setDirection(direction, of: mid)
  }

  /// The sections of this side, in order.
  package var transceivers: [Transceiver] { negotiator.transceivers }

  /// What both sides agreed on; nil before the first answer.
  package var session: NegotiatedSession? { negotiator.session }

  /// An offer with all sections and the candidates known so far. The remaining ones are trickled by
  /// ``PeerConnectionEvent/localCandidate(_:mid:index:)``.
  package func createOffer(at now: Instant) throws(PeerConnectionError) -> String {
    guard state != .closed else { throw .closed }
    // Host candidates are known as soon as the sockets are: they go into the offer.
    advance(at: now)
    return try negotiator.createOffer(credentials: transport.ice.localParameters)
  }

  /// Takes the answer to the last offer.
  package func setRemoteAnswer(_ text: String, at now: Instant) throws(PeerConnectionError) {
    guard state != .closed else { throw .closed }
    let session = try negotiator.setRemoteAnswer(text)
    apply(session, at: now)
  }

  /// Takes an offer and answers it.
  ///
  /// - Parameter direction: what this side wants of an offered section (its index and description); nil
  ///   rejects the section.
  package func answer(
    _ offer: String, at now: Instant, direction: (Int, MediaSection) -> MediaDirection?
  ) throws(PeerConnectionError) -> String {
    guard state != .closed else { throw .closed }
    let description: SessionDescription
    do { description = try SessionDescription(parsing: offer) } catch { throw .description(error) }
    if negotiator.restartsICE(description) { restartICE(at: now) }
    advance(at: now)
    let (answer, session) = try negotiator.answer(
      description, credentials: transport.ice.localParameters, direction: direction)
    apply(session, at: now)
    return answer
  }

  /// New ICE credentials for the next offer: media keeps flowing over the old pair until a new one works.
  package func restartICE(at now: Instant) {
    transport.ice.restart(at: now)
    negotiator.forgetCandidates()
  }

  private func apply(_ session: NegotiatedSession, at now: Instant) {
    if state == .new { setState(.connecting) }
    let remote = session.remote
    transport.ice.setRemoteParameters(
      ICEParameters(
        ufrag: remote.credentials.ufrag, password: remote.credentials.pwd, options: remote.iceOptions,
        isLite: remote.isIceLite), at: now)
    for attribute in remote.candidates {
      if let candidate = ICECandidate(attribute) { transport.ice.addRemoteCandidate(candidate, at: now) }
    }
    if remote.hasEndOfCandidates { transport.ice.endOfRemoteCandidates(at: now) }
    transport.startDTLS(
      role: session.dtlsRole == .client ? .client : .server,
      fingerprints: remote.fingerprints.compactMap { DTLSFingerprint($0) }, at: now)
    if let sctp = session.dataSection?.sctp {
      let remoteMaxMessageSize: UInt64? =
        sctp.declaresMaxMessageSize
        ? (sctp.maxSendMessageSize == .max ? 0 : UInt64(sctp.maxSendMessageSize)) : nil
      channels.negotiated(
        maxSendMessageSize: sctp.maxSendMessageSize, remoteMaxMessageSize: remoteMaxMessageSize,
        chunking: session.chunking.map { ($0.maxSendMessageSize, $0.maxReceiveMessageSize) })
      transport.startDataChannels(
        BundleTransport.DataChannelStart(
          remoteMaxMessageSize: remoteMaxMessageSize, remoteInit: sctp.initExchange?.remote), at: now)
    }
    media.configure(session, transceivers: negotiator.transceivers, at: now)
  }

  // MARK: Candidates and addresses

  /// Takes a trickled candidate: the value of `a=candidate`, with or without the prefix. An empty text is the
  /// end of candidates. One that cannot be understood is reported and costs nothing else.
  package func addRemoteCandidate(_ text: String, at now: Instant) {
    guard !text.isEmpty else {
      transport.ice.endOfRemoteCandidates(at: now)
      return
    }
    do {
      let attribute = try CandidateAttribute(parsing: text)
      guard let candidate = ICECandidate(attribute) else { return }
      transport.ice.addRemoteCandidate(candidate, at: now)
    } catch {
      emit(.note("a candidate of the peer was ignored: \(error)"))
    }
  }

  /// The peer has no more candidates.
  package func endOfRemoteCandidates(at now: Instant) {
    transport.ice.endOfRemoteCandidates(at: now)
  }

  package func addLocalAddress(_ address: LocalInterfaceAddress, at now: Instant) {
    transport.ice.addLocalAddress(address, at: now)
  }

  package func removeLocalAddress(_ bound: SocketAddress, at now: Instant) {
    transport.ice.removeLocalAddress(bound, at: now)
  }

  /// All addresses that there are at first have been reported: looks for reflexive and relayed candidates.
  package func gatherCandidates(servers: [ICEServer], at now: Instant) {
    transport.ice.gather(servers: servers, at: now)
  }

  /// The machine's network changed: every path is checked at once.
  package func networkChanged(at now: Instant) {
    transport.ice.networkChanged(at: now)
  }

  package func resolved(_ id: ICEResolutionID, addresses: [IPAddress], at now: Instant) {
    transport.ice.resolved(id, addresses: addresses, at: now)
  }

  package func streamConnected(_ id: ICEStreamID, local: SocketAddress, at now: Instant) {
    transport.ice.streamConnected(id, local: local, at: now)
  }

  package func streamFailed(_ id: ICEStreamID, at now: Instant) {
    transport.ice.streamFailed(id, at: now)
  }

  // MARK: Packets and time

  /// Takes one datagram that came from `remote` to the socket bound to `local`. Its bytes are changed in
  /// place; the buffer goes back to its pool from here, perhaps after a while. `receivedAt` is when the host took
  /// it in, if that is known to be earlier than `now`: the peer's bandwidth estimate lives on the spacing of
  /// arrivals.
  package func handle(
    _ buffer: consuming PacketBuffer, from remote: SocketAddress, to local: SocketAddress,
    receivedAt: Instant? = nil, at now: Instant
  ) {
    let arrival = transport.handle(buffer, from: remote, to: local, at: now)
    receive(buffer, arrival, receivedAt: receivedAt ?? now, at: now)
  }

  /// Takes bytes of a TURN server's stream.
  package func handleStream(_ bytes: RawSpan, id: ICEStreamID, at now: Instant) {
    transport.handleStream(bytes, id: id, at: now) { buffer, arrival in
      receive(buffer, arrival, receivedAt: now, at: now)
    }
  }

  private func receive(
    _ buffer: consuming PacketBuffer, _ arrival: BundleTransport.Arrival, receivedAt: Instant, at now: Instant
  ) {
    switch arrival {
    case .none: pool.give(buffer)
    case .rtp: media.handleRTP(buffer, receivedAt: receivedAt, at: now)
    case .rtcp:
      media.handleRTCP(buffer.bytes, at: now)
      pool.give(buffer)
    }
  }

  package func nextTimeout() -> Instant? {
    guard state != .closed else { return nil }
    return Optional.earliest(transport.nextTimeout(), media.nextTimeout())
  }

  package func handleTimeout(at now: Instant) {
    transport.handleTimeout(at: now)
    if let due = media.nextTimeout(), due <= now { media.handleTimeout(at: now) }
  }

  /// Moves everything on as far as it goes at `now`. Call it after feeding and before draining.
  package func advance(at now: Instant) {
    transport.advance(at: now) { handle($0, at: now) }
    if let roundTripTime = transport.ice.roundTripTime { media.setRoundTripTime(roundTripTime, at: now) }
    while let packet = media.nextRTCP(at: now) { transport.send(rtcp: packet, at: now) }
    while let packet = media.nextRTP(at: now) { transport.send(rtp: packet, at: now) }
    while let event = media.nextEvent() { emit(event) }
  }

  /// Work that could wait until what there was to transmit is on its way, and is done in the time that the network
  /// takes. Calling it is optional: whatever it does is done at the latest when it is needed.
  package func workAhead() { transport.prepareDTLS() }

  package func nextTransmit() -> PeerTransmit? { transport.nextTransmit() }

  package func nextEvent() -> PeerConnectionEvent? { events.popFirst() }

  // MARK: Data channels

  /// Opens a data channel; before the connection stands too.
  package func openChannel(
    label: String, options: DataChannelOptions = DataChannelOptions(), at now: Instant
  ) throws(PeerConnectionError) -> DataChannelID {
    guard state != .closed else { throw .closed }
    negotiator.wantsData = true
    do { return try channels.open(label: label, options: options, at: now) } catch {
      throw .dataChannel(error)
    }
  }

  /// Sends a message, whole: chunked where that was negotiated, refused before anything is sent when it is
  /// larger than the peer takes.
  package func send(
    _ bytes: [UInt8], isText: Bool, on channel: DataChannelID, at now: Instant
  ) throws(PeerConnectionError) {
    guard state != .closed else { throw .closed }
    try channels.send(bytes, isText: isText, on: channel, at: now)
  }

  package func closeChannel(_ channel: DataChannelID, at now: Instant) {
    channels.close(channel, at: now)
  }

  package func bufferedAmount(of channel: DataChannelID) -> Int { channels.bufferedAmount(of: channel) }

  /// The largest message that the peer takes.
  package var maxMessageSize: Int { channels.maxMessageSize }

  // MARK: Media

  /// Sends an encoded picture on the section `mid`; it is dropped while the section does not send.
  package func sendVideo(_ frame: EncodedVideoFrame, on mid: String, at now: Instant) {
    media.sendVideo(frame, on: mid, at: now)
  }

  /// Sends an Opus packet. `timestamp` counts 48 kHz samples from any origin.
  package func sendAudio(_ packet: OutgoingAudioPacket, on mid: String, at now: Instant) {
    media.sendAudio(packet, on: mid, at: now)
  }

  /// A decoder cannot go on: asks the peer for a keyframe, within the limits of how often that makes sense.
  package func requestKeyframe(of mid: String, at now: Instant) {
    media.requestKeyframe(of: mid, at: now)
  }

  /// Nobody pushes to the section `mid` for now: it takes no share of the bandwidth.
  package func setIdle(_ mid: String, at now: Instant) {
    media.setIdle(mid, at: now)
  }

  /// What the section `mid` was negotiated to send; nil when it does not send.
  package func negotiatedSender(of mid: String) -> NegotiatedSender? {
    media.negotiatedSender(of: mid)
  }

  /// Bounds of the whole connection's sending rate; nil leaves one at its default.
  package func setBitrateBounds(minimum: Int?, start: Int?, maximum: Int?, at now: Instant) {
    media.setBitrateBounds(minimum: minimum, start: start, maximum: maximum, at: now)
  }

  /// Bounds of one sending section's rate.
  package func setBitrateBounds(minimum: Int?, maximum: Int?, of mid: String, at now: Instant) {
    media.setBitrateBounds(minimum: minimum, maximum: maximum, of: mid, at: now)
  }

  /// Figures for statistics, all counted from the connection's beginning.
  package func statistics(at now: Instant) -> PeerConnectionStatistics {
    PeerConnectionStatistics(
      pairs: transport.ice.statistics(), association: transport.dataChannels.statistics,
      srtp: transport.srtp?.statistics, handshake: transport.handshake, media: media.statistics(at: now))
  }

  // MARK: End

  /// Tells the peer (RTCP BYE, SCTP ABORT, close_notify) and ends. What is left to transmit should be sent;
  /// no event follows but the change to `closed`.
  package func close(at now: Instant) {
    guard state != .closed else { return }
    media.close(at: now)
    while let packet = media.nextRTCP(at: now) { transport.send(rtcp: packet, at: now) }
    transport.close(at: now)
    events.removeAll()
    setState(.closed)
  }

  // MARK: Events from below

  private func handle(_ event: BundleTransport.Event, at now: Instant) {
    switch event {
    case .ice(let event): handle(event, at: now)
    case .dtlsConnected:
      media.start(at: now)
      updateState()
    case .dtlsClosed: close(at: now)
    case .dtlsFailed(let error):
      failure = .handshake("\(error)")
      updateState()
    case .dataChannel(let event):
      if case .closed(let reason) = event, state != .closed {
        switch reason {
        case .shutdown, .abortedByPeer, .abortedLocally: break
        case .handshakeTimedOut, .peerUnreachable, .protocolViolation:
          failure = .dataChannels("\(reason)")
          updateState()
        }
      }
      channels.handle(event, at: now) { emit($0) }
    }
  }

  private func handle(_ event: ICEEvent, at now: Instant) {
    switch event {
    case .localCandidate(let candidate):
      if let (text, mid, index) = negotiator.addLocalCandidate(
        candidate.attribute(ufrag: transport.ice.localParameters.ufrag))
      {
        emit(.localCandidate(text, mid: mid, index: index))
      }
    case .gatheringComplete:
      negotiator.gatheringComplete()
      emit(.endOfCandidates)
    case .stateChanged(let state):
      iceState = state
      updateState()
    case .selectedPairChanged: break
    case .resolve, .resolveMulticast, .openStream, .closeStream: emit(.ice(event))
    case .serverUnreachable(let text), .note(let text): emit(.note(text))
    }
  }

  private func updateState() {
    guard state != .closed else { return }
    if let failure { return setState(.failed(failure)) }
    switch iceState {
    case .new, .checking, .closed: if state != .new { setState(.connecting) }
    case .connected, .completed: setState(transport.dtls.isConnected ? .connected : .connecting)
    case .disconnected: setState(.disconnected)
    case .failed: setState(.failed(.noPath))
    }
  }

  private func setState(_ new: PeerConnectionState) {
    guard new != state else { return }
    state = new
    emit(.stateChanged(new))
  }

  private func emit(_ event: PeerConnectionEvent) {
    if events.count >= PeerConnection.eventLimit {
      switch event {
      case .videoFrame, .audioPacket, .targetBitrate, .note:
        droppedEvents += 1
        return
      default: break
      }
    }
    events.append(event)
  }
}

extension DTLSFingerprint {
  init?(_ fingerprint: Fingerprint) {
    let digits = fingerprint.bytes.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0" + text : text
    }
    self.init("\(fingerprint.algorithm) \(digits.joined(separator: ":"))")
  }
}
