import DTLS
import ICE
import Media
import RTP
import SCTP
import SDP
import Synchronization
import WireFormat

/// A WebRTC connection on the real network with its media pipelines: what the SDK and the local runtime hold.
///
/// An actor on the network thread: its isolated state is the connection and its driver. Frames go in and out
/// through the pipelines, which are safe to use from any thread and found by the track's name.
package actor LiveConnection {
  private nonisolated let loop: NetworkLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private nonisolated let configuration: LiveConnectionConfiguration
  private nonisolated let onEvent: @Sendable (LiveConnectionEvent) -> Void
  private nonisolated let tracks: Mutex<LiveTrackTable>
  private nonisolated let outbox = FrameOutbox()
  private var driver: PeerConnectionDriver?
  private var channels: [String: DataChannelID] = [:]
  private var isClosed = false

  /// - Parameters:
  ///   - loop: the network thread; it outlives the connection.
  ///   - frameThreads: decode, and run the handlers of received frames.
  ///   - onEvent: called on the network thread.
  package init(
    configuration: LiveConnectionConfiguration, loop: NetworkLoop, frameThreads: FrameThreads,
    onEvent: @escaping @Sendable (LiveConnectionEvent) -> Void
  ) {
    self.configuration = configuration
    self.loop = loop
    self.onEvent = onEvent
    tracks = Mutex(LiveTrackTable(configuration: configuration, frameThreads: frameThreads))
    outbox.attach(self)
  }

  // MARK: Opening

  /// Opens the sockets and offers `sending` and `receiving` tracks in the order of `offered`, with the data
  /// channels `offeredChannels`, opened in this order.
  ///
  /// - Parameter servers: nil where they are not known yet: ``gather(_:)`` names them later.
  /// - Returns: the offer, and the mid of each track by name.
  package func offer(
    _ offered: [LiveTrack], channels offeredChannels: [LiveChannel], servers: [ICEServer]? = []
  ) throws(PeerConnectionError) -> (sdp: String, mids: [String: String]) {
    let driver = try makeDriver(role: .offerer)
    let now = MonotonicClock.now()
    var mids: [String: String] = [:]
    for track in offered {
      let mid = driver.connection.addTransceiver(
        track.kind == .video ? .video : .audio, direction: track.isSending ? .sendonly : .recvonly)
      mids[track.name] = mid
      add(track, mid: mid)
    }
    for channel in offeredChannels { try openChannel(channel) }
    driver.start(at: now)
    let sdp = try driver.connection.createOffer(at: now)
    if let servers { gather(servers) }
    return (sdp, mids)
  }

  /// Asks these STUN and TURN servers for candidates; the first call counts.
  package func gather(_ servers: [ICEServer]) {
    driver?.connection.gatherCandidates(servers: servers, at: MonotonicClock.now())
    loop.context.serviceAgain()
  }

  /// An offer with new ICE credentials and everything else as it was. Media and data go on over the old path
  /// until a new one works.
  package func offerICERestart() throws(PeerConnectionError) -> String {
    guard let driver, !isClosed else { throw .closed }
    let now = MonotonicClock.now()
    driver.connection.restartICE(at: now)
    return try driver.connection.createOffer(at: now)
  }

  /// Takes the answer; from now on the connection builds itself.
  package func setAnswer(_ sdp: String) throws(PeerConnectionError) {
    guard let driver, !isClosed else { throw .closed }
    try driver.connection.setRemoteAnswer(sdp, at: MonotonicClock.now())
    applyNegotiation(driver.connection)
  }

  /// Answers an offer. `names` says which track (of this side) a section is; others are rejected.
  package func answer(
    _ offer: String, tracks names: [String: LiveTrack]
  ) throws(PeerConnectionError) -> String {
    let driver = try makeDriver(role: .answerer)
    driver.start(at: MonotonicClock.now())
    gather([])
    let sdp = try driver.connection.answer(offer, at: MonotonicClock.now()) { index, section in
      guard let track = names[section.mid ?? String(index)],
        section.kind == (track.kind == .video ? .video : .audio)
      else { return nil }
      return track.isSending ? .sendonly : .recvonly
    }
    for (mid, track) in names { add(track, mid: mid) }
    applyNegotiation(driver.connection)
    return sdp
  }

  private func makeDriver(role: NegotiationRole) throws(PeerConnectionError) -> PeerConnectionDriver {
    if let driver { return driver }
    var configuration = configuration
    configuration.connection.unixTimeAtOrigin = MonotonicClock.unixTimeAtOrigin()
    let connection = PeerConnection(
      configuration: configuration.connection, role: role,
      certificate: try IdentityCache.shared.certificate(),
      pool: loop.context.pool, random: .system)
    let made = PeerConnectionDriver(
      connection: connection, loop: loop, configuration: configuration.driver
    ) { [weak self] event in
      self?.assumeIsolated { $0.handle(event) }
    }
    driver = made
    return made
  }

  private func add(_ track: LiveTrack, mid: String) {
    tracks.withLock { table in
      table.add(track, mid: mid) { [weak self] in self?.requestKeyframe(of: mid) }
    }
  }

  /// Encoders are made once the codec is known.
  private func applyNegotiation(_ connection: PeerConnection) {
    for mid in tracks.withLock({ $0.sendingMids }) {
      let codec = connection.negotiatedSender(of: mid)
      tracks.withLock { table in
        table.prepareSender(
          mid: mid, codec: codec,
          onFrame: { [weak self] frame in self?.submit(frame, on: mid) },
          onPacket: { [weak self] packet in self?.submit(packet, on: mid) })
      }
    }
  }

  // MARK: Frames, from other threads

  private nonisolated func submit(_ frame: EncodedVideoFrame, on mid: String) {
    if outbox.append(FrameOutbox.Item(mid: mid, frame: frame), on: loop) { return }
    // The network thread is overrun: what follows would refer to a frame that was never sent.
    tracks.withLock { $0.videoSender(mid: mid) }?.requestKeyframe()
  }

  /// Sends what waits in the outbox; the frames' memory goes back to their encoders.
  func sendFrames() {
    while var item = outbox.next() {
      driver?.connection.sendVideo(item.frame, on: item.mid, at: MonotonicClock.now())
      var data: [UInt8] = []
      swap(&data, &item.frame.data)
      tracks.withLock { $0.videoSender(mid: item.mid) }?.recycle(data)
    }
  }

  private nonisolated func submit(_ packet: OutgoingAudioPacket, on mid: String) {
    loop.submit { [weak self] in
      self?.assumeIsolated { $0.driver?.connection.sendAudio(packet, on: mid, at: MonotonicClock.now()) }
    }
  }

  private nonisolated func requestKeyframe(of mid: String) {
    loop.submit { [weak self] in
      self?.assumeIsolated { $0.driver?.connection.requestKeyframe(of: mid, at: MonotonicClock.now()) }
    }
  }

  /// The pipeline that takes this track's pictures; nil before the answer, or when the peer refused it.
  package nonisolated func videoSender(_ name: String) -> VideoSendPipeline? {
    tracks.withLock { $0.videoSender(name: name) }
  }

  /// The pipeline that takes this track's samples; nil before the answer, or when the peer refused it.
  package nonisolated func audioSender(_ name: String) -> AudioSendPipeline? {
    tracks.withLock { $0.audioSender(name: name) }
  }

  /// The pipeline that this track's pictures come out of.
  package nonisolated func videoReceiver(_ name: String) -> VideoReceivePipeline? {
    tracks.withLock { $0.videoReceiver(name: name) }
  }

  /// The pipeline that this track's samples come out of.
  package nonisolated func audioReceiver(_ name: String) -> AudioReceivePipeline? {
    tracks.withLock { $0.audioReceiver(name: name) }
  }

  // MARK: Signalling

  /// Takes a candidate of the peer; an empty text ends them.
  package func addRemoteCandidate(_ text: String) {
    driver?.connection.addRemoteCandidate(text, at: MonotonicClock.now())
  }

  /// What both sides agreed on; nil before the answer.
  package var session: NegotiatedSession? { driver?.connection.session }

  // MARK: Data

  /// Opens a further data channel, or one anew after its end.
  package func openChannel(_ channel: LiveChannel) throws(PeerConnectionError) {
    guard let driver, !isClosed else { throw .closed }
    channels[channel.label] = try driver.connection.openChannel(
      label: channel.label, options: channel.options, at: MonotonicClock.now())
  }

  /// Closes a data channel once what is queued on it has been sent.
  package func closeChannel(_ label: String) throws(PeerConnectionError) {
    guard let driver, !isClosed else { throw .closed }
    guard let channel = channels[label] else { throw .notFound("data channel \(label)") }
    driver.connection.closeChannel(channel, at: MonotonicClock.now())
  }

  /// Sends a whole message; returns when it is queued.
  package func send(_ bytes: [UInt8], isText: Bool, on label: String) throws(PeerConnectionError) {
    guard let driver, !isClosed else { throw .closed }
    guard let channel = channels[label] else { throw .notFound("data channel \(label)") }
    try driver.connection.send(bytes, isText: isText, on: channel, at: MonotonicClock.now())
  }

  /// Bytes that were sent on a channel and have not left yet.
  package func bufferedAmount(of label: String) -> Int {
    guard let driver, let channel = channels[label] else { return 0 }
    return driver.connection.bufferedAmount(of: channel)
  }

  /// The largest message that the peer takes.
  package var maxMessageSize: Int { driver?.connection.maxMessageSize ?? 0 }

  // MARK: Bitrates and statistics

  package func setBitrateBounds(minimum: Int?, start: Int?, maximum: Int?) {
    driver?.connection.setBitrateBounds(
      minimum: minimum, start: start, maximum: maximum, at: MonotonicClock.now())
  }

  package func setBitrateBounds(minimum: Int?, maximum: Int?, of name: String) {
    guard let mid = tracks.withLock({ $0.mid(of: name) }) else { return }
    driver?.connection.setBitrateBounds(minimum: minimum, maximum: maximum, of: mid, at: MonotonicClock.now())
  }

  /// Nobody pushes to this track any more: it takes no share of the bandwidth until somebody does.
  package func setIdle(_ name: String) {
    guard let mid = tracks.withLock({ $0.mid(of: name) }) else { return }
    driver?.connection.setIdle(mid, at: MonotonicClock.now())
  }

  package func statistics() -> LiveStatistics? {
    guard let driver, !isClosed else { return nil }
    let pipelines = tracks.withLock { $0.statistics }
    return LiveStatistics(
      connection: driver.connection.statistics(at: MonotonicClock.now()), videoReceivers: pipelines.receivers,
      videoSenders: pipelines.senders)
  }

  // MARK: End

  /// Tells the peer, closes the sockets, and ends the pipelines: no frame handler is called after this
  /// returned, except one that was running.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    driver?.close(at: MonotonicClock.now())
    driver = nil
    let ended = tracks.withLock { $0.removeAll() }
    // Joining threads must not hold up the network thread.
    if !ended.isEmpty { _ = WorkerThread(name: "reactor-close") { ended.close() } }
  }

  /// Ends without telling the peer, as a machine does that loses its power. For fault tests.
  package func abandon() {
    guard !isClosed else { return }
    isClosed = true
    driver?.abandon()
    driver = nil
    let ended = tracks.withLock { $0.removeAll() }
    if !ended.isEmpty { _ = WorkerThread(name: "reactor-close") { ended.close() } }
  }

  /// The same as ``close()`` from any thread, without waiting.
  package nonisolated func closeSoon() {
    loop.submit { self.assumeIsolated { $0.close() } }
  }

  // MARK: Events

  private func handle(_ event: PeerConnectionEvent) {
    switch event {
    case .ice: break
    case .stateChanged(let state): onEvent(.stateChanged(state))
    case .localCandidate(let text, let mid, let index):
      onEvent(.localCandidate(text, mid: mid, index: index))
    case .endOfCandidates: onEvent(.endOfCandidates)
    case .channelOpened(let id, let label, _):
      channels[label] = id
      onEvent(.channelOpened(label: label))
    case .message(let id, let bytes, let isText):
      guard let label = channels.first(where: { $0.value == id })?.key else { return }
      onEvent(.message(label: label, bytes, isText: isText))
    case .channelClosed(let id, let label, let reason):
      if channels[label] == id { channels[label] = nil }
      onEvent(.channelClosed(label: label, reason: reason))
    case .bufferedAmountLow: break
    case .videoFrame(let mid, let frame): tracks.withLock { $0.videoReceiver(mid: mid) }?.submit(frame)
    case .audioPacket(let mid, let packet): tracks.withLock { $0.audioReceiver(mid: mid) }?.insert(packet)
    case .keyframeRequested(let mid): tracks.withLock { $0.videoSender(mid: mid) }?.requestKeyframe()
    case .targetBitrate(let mid, let bitsPerSecond):
      tracks.withLock { $0.setTargetBitrate(bitsPerSecond, mid: mid) }
    case .note(let text): onEvent(.note(text))
    }
  }
}
