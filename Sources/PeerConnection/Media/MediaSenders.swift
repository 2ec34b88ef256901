import RTP
import SDP
import WireFormat

/// The sending half of a connection's media: which section sends what, over one ``SendTransport``.
final class MediaSenders {
  private struct Sender {
    var track: Int
    let isVideo: Bool
    /// What was negotiated: another codec or payload type means another stream.
    var parameters: StreamParameters
    var codec: VideoCodec?
    var frameSize = (width: 0, height: 0)
    /// Whether the descriptions in force have this side send.
    var isSending = true
    /// The peer saw nothing for a while: what refers to that time is of no use to it.
    var needsKeyframe = false
  }

  private struct Wish {
    var minimum: Int?
    var maximum: Int?
  }

  private let pool: PacketPool
  private let random: RandomSource
  private let unixTimeAtOrigin: Int64
  private var transport: SendTransport?
  private var senders: [String: Sender] = [:]
  private var mids: [Int: String] = [:]
  private var wishes: [String: Wish] = [:]
  private var bounds = BitrateBounds()
  private var keyframesNeeded: [String] = []

  init(unixTimeAtOrigin: Int64, pool: PacketPool, random: RandomSource) {
    self.pool = pool
    self.random = random
    self.unixTimeAtOrigin = unixTimeAtOrigin
  }

  // MARK: Negotiation

  func configure(_ session: NegotiatedSession, transceivers: [Transceiver], at now: Instant) {
    for section in session.sections where section.kind == .video || section.kind == .audio {
      guard let transceiver = transceivers.first(where: { $0.mid == section.mid }), section.isAccepted,
        section.direction.sends, let codec = MediaSenders.codec(of: section)
      else {
        if let sender = senders[section.mid] {
          senders[section.mid]?.isSending = false
          transport?.setActive(false, track: sender.track, at: now)
        }
        continue
      }
      // A connection that sends no media has none of this.
      let transport = self.transport ?? makeTransport(transceivers)
      self.transport = transport
      add(section, transceiver, codec, session: session, to: transport, at: now)
    }
    // The place of a section that has ended may be another one's by now.
    for (mid, sender) in senders where session.section(mid: mid) == nil {
      remove(sender, mid: mid, at: now)
    }
  }

  private func remove(_ sender: Sender, mid: String, at now: Instant) {
    transport?.remove(track: sender.track, at: now)
    mids[sender.track] = nil
    senders[mid] = nil
  }

  /// The first codec of the answer that this package can send.
  private static func codec(of section: NegotiatedSection) -> NegotiatedCodec? {
    section.codecs.first { codec in
      section.kind == .audio ? codec.isNamed("opus") : VideoCodec(negotiated: codec) != nil
    }
  }

  private func makeTransport(_ transceivers: [Transceiver]) -> SendTransport {
    var settings = SendTransport.Settings()
    settings.bounds = bounds
    settings.canonicalName = transceivers.first?.stream.cname ?? ""
    return SendTransport(
      settings: settings, clock: WallClock(unixNanoseconds: unixTimeAtOrigin, at: .origin), pool: pool,
      random: random)
  }

  private func add(
    _ section: NegotiatedSection, _ transceiver: Transceiver, _ codec: NegotiatedCodec,
    session: NegotiatedSession, to transport: SendTransport, at now: Instant
  ) {
    var rtx: RTXParameters?
    if let ssrc = transceiver.stream.retransmissionSSRC, let payloadType = codec.sendRetransmissionPayloadType
    {
      rtx = RTXParameters(ssrc: ssrc, payloadType: payloadType)
    }
    let parameters = StreamParameters(
      ssrc: transceiver.stream.ssrc, payloadType: codec.sendPayloadType, clockRate: codec.clockRate, rtx: rtx,
      mid: section.sendExtensionID(HeaderExtensionURI.mid) == nil ? nil : section.mid,
      extensions: section.sendExtensions(allowMixed: session.extmapAllowMixed), answersNACK: codec.has(.nack))
    if let known = senders[section.mid] {
      if known.parameters == parameters {
        guard !known.isSending else { return }
        senders[section.mid]?.isSending = true
        senders[section.mid]?.needsKeyframe = known.isVideo
        if known.isVideo { keyframesNeeded.append(section.mid) }
        return
      }
      remove(known, mid: section.mid, at: now)
    }
    let videoCodec = VideoCodec(negotiated: codec)
    let limits = limits(of: section.mid, isVideo: section.kind == .video, width: 1280, height: 720)
    let track: Int?
    if let videoCodec {
      track = transport.addVideo(
        parameters, codec: videoCodec, limits: limits, appendsFrameMetadata: session.frameMetadata, at: now)
    } else {
      track = transport.addAudio(parameters, limits: limits, at: now)
    }
    guard let track else { return }
    senders[section.mid] = Sender(
      track: track, isVideo: section.kind == .video, parameters: parameters, codec: videoCodec)
    mids[track] = section.mid
    // Nobody pushes yet: an idle track takes no bandwidth from the others.
    transport.setActive(false, track: track, at: now)
  }

  /// What frames of this section must be; nil when it does not send.
  func negotiatedSender(of mid: String) -> NegotiatedSender? {
    guard let sender = senders[mid], sender.isSending else { return nil }
    return sender.codec.map { .video($0) } ?? .audio
  }

  // MARK: Sending

  func sendVideo(_ frame: EncodedVideoFrame, on mid: String, at now: Instant) {
    guard let transport, var sender = senders[mid], sender.isVideo, sender.isSending else { return }
    if sender.needsKeyframe {
      guard frame.isKeyframe else { return }
      sender.needsKeyframe = false
      senders[mid] = sender
    }
    if frame.width > 0, (frame.width, frame.height) != sender.frameSize {
      sender.frameSize = (frame.width, frame.height)
      senders[mid] = sender
      transport.setLimits(
        limits(of: mid, isVideo: true, width: frame.width, height: frame.height), track: sender.track, at: now
      )
    }
    transport.setActive(true, track: sender.track, at: now)
    _ = transport.send(frame, track: sender.track, at: now)
  }

  func sendAudio(_ packet: OutgoingAudioPacket, on mid: String, at now: Instant) {
    guard let transport, let sender = senders[mid], !sender.isVideo, sender.isSending else { return }
    transport.setActive(true, track: sender.track, at: now)
    _ = transport.send(
      audio: packet.payload.rawSpan, sampleCount: packet.sampleCount, level: packet.level,
      track: sender.track,
      capturedAt: packet.capturedAt, at: now)
  }

  /// Nobody sends on this section for now (unpublished or paused).
  func setIdle(_ mid: String, at now: Instant) {
    guard let sender = senders[mid] else { return }
    transport?.setActive(false, track: sender.track, at: now)
  }

  func handle(_ packet: RTCPPacket, at now: Instant) { transport?.handle(packet, at: now) }

  func nextTransmit(at now: Instant) -> PacketBuffer? { transport?.nextTransmit(at: now) }

  func nextReports(at now: Instant) -> [RTCPPacket] { transport?.nextReports(at: now) ?? [] }

  func nextEvent() -> PeerConnectionEvent? {
    if let mid = keyframesNeeded.popLast() { return .keyframeRequested(mid: mid) }
    while let event = transport?.nextEvent() {
      switch event {
      case .keyframeRequested(let track):
        if let mid = mids[track] { return .keyframeRequested(mid: mid) }
      case .targetBitrateChanged(let track, let bitsPerSecond):
        if let mid = mids[track] { return .targetBitrate(mid: mid, bitsPerSecond: bitsPerSecond) }
      }
    }
    return nil
  }

  func nextTimeout() -> Instant? { transport?.nextTimeout() }

  func handleTimeout(at now: Instant) { transport?.handleTimeout(at: now) }

  /// Says goodbye for every stream in the next reports.
  func close(at now: Instant) {
    for sender in senders.values { transport?.remove(track: sender.track, at: now) }
    senders.removeAll()
    mids.removeAll()
  }

  // MARK: Bitrates

  func setBounds(minimum: Int?, start: Int?, maximum: Int?, at now: Instant) {
    let standard = BitrateBounds()
    bounds = BitrateBounds(
      minimum: minimum ?? standard.minimum, start: start ?? standard.start,
      maximum: maximum ?? standard.maximum)
    transport?.setBounds(bounds, restart: start != nil, at: now)
  }

  func setBounds(minimum: Int?, maximum: Int?, of mid: String, at now: Instant) {
    wishes[mid] = Wish(minimum: minimum, maximum: maximum)
    guard let transport, let sender = senders[mid] else { return }
    let size = sender.frameSize.width > 0 ? sender.frameSize : (1280, 720)
    transport.setLimits(
      limits(of: mid, isVideo: sender.isVideo, width: size.0, height: size.1), track: sender.track, at: now)
  }

  private func limits(of mid: String, isVideo: Bool, width: Int, height: Int) -> TrackBitrateLimits {
    let wish = wishes[mid]
    guard isVideo else {
      return TrackBitrateLimits(
        minimum: wish?.minimum ?? DefaultBitrate.audio.minimum,
        maximum: wish?.maximum ?? DefaultBitrate.audio.maximum)
    }
    let maximum = wish?.maximum ?? DefaultBitrate.videoMaximum(width: width, height: height)
    return TrackBitrateLimits(
      minimum: wish?.minimum ?? min(maximum, DefaultBitrate.videoMinimum), maximum: maximum)
  }

  // MARK: Statistics

  var targetBitrate: Int? { senders.isEmpty ? nil : transport?.targetBitrate }

  func statistics() -> [OutboundStreamStatistics] {
    senders.sorted { $0.value.track < $1.value.track }.compactMap { mid, sender in
      transport?.statistics(track: sender.track).map {
        OutboundStreamStatistics(
          mid: mid, ssrc: sender.parameters.ssrc, isVideo: sender.isVideo, codec: sender.codec, counters: $0)
      }
    }
  }
}

extension VideoCodec {
  init?(negotiated codec: NegotiatedCodec) {
    self.init(named: codec.name)
  }

  /// By the name in a description, upper and lower case alike.
  init?(named name: String) {
    self.init(rawValue: name.uppercased())
  }
}

extension NegotiatedSection {
  func sendExtensions(allowMixed: Bool) -> HeaderExtensionMap {
    extensionMap(allowMixed: allowMixed) { $0.sends }
  }

  func receiveExtensions(allowMixed: Bool) -> HeaderExtensionMap {
    extensionMap(allowMixed: allowMixed) { $0.receives }
  }

  private func extensionMap(allowMixed: Bool, _ isWanted: (MediaDirection) -> Bool) -> HeaderExtensionMap {
    HeaderExtensionMap(
      headerExtensions.compactMap { one in
        guard isWanted(one.direction), let kind = HeaderExtensionKind(uri: one.uri) else { return nil }
        return (one.id, kind)
      }, allowsTwoByteForm: allowMixed)
  }
}
