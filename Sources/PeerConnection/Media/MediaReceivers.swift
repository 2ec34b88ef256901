import RTP
import SDP
import WireFormat

/// The receiving half of a connection's media: one receiver a section, and what is reported back.
final class MediaReceivers {
  private enum Receiver {
    case video(VideoReceiver)
    case audio(AudioReceiver)
  }

  private struct Section {
    let mid: String
    let receiver: Receiver
    /// What was negotiated: anything else makes another receiver.
    let negotiated: NegotiatedSection
    let extensions: HeaderExtensionMap
  }

  private let localSSRC: UInt32
  private let pool: PacketPool
  private var sections: [Int: Section] = [:]
  /// Those of `sections`: they are asked after every packet.
  private var videoReceivers: [VideoReceiver] = []
  private var demultiplexer = RTPDemultiplexer()
  private var feedback: TransportFeedbackGenerator
  private var reports: ReceiverReportGenerator
  private var extensions = HeaderExtensionMap()
  private var events = FIFO<PeerConnectionEvent>()
  private var roundTripTime = Interval.milliseconds(100)
  /// Packets of no section, or that are no RTP.
  private(set) var strayPackets = 0

  init(localSSRC: UInt32, pool: PacketPool, canonicalName: String, random: RandomSource) {
    self.localSSRC = localSSRC
    self.pool = pool
    feedback = TransportFeedbackGenerator(localSSRC: localSSRC)
    reports = ReceiverReportGenerator(localSSRC: localSSRC, canonicalName: canonicalName, random: random)
  }

  // MARK: Negotiation

  func configure(_ session: NegotiatedSession) {
    for section in session.sections where section.kind == .video || section.kind == .audio {
      guard section.isAccepted, section.direction.receives else {
        sections[section.index] = nil
        demultiplexer.remove(index: section.index)
        continue
      }
      if sections[section.index]?.negotiated == section { continue }
      add(section, session)
    }
    videoReceivers = sections.values.compactMap { section in
      if case .video(let receiver) = section.receiver { receiver } else { nil }
    }
  }

  private func add(_ section: NegotiatedSection, _ session: NegotiatedSession) {
    let map = section.receiveExtensions(allowMixed: session.extmapAllowMixed)
    // Bundled sections number an extension alike (RFC 9143 section 7.1): one map reads all packets.
    for kind in HeaderExtensionKind.allCases {
      if let id = map.id(of: kind) { extensions.set(kind, id: id) }
    }
    let receiver: Receiver
    var payloadTypes: Set<UInt8> = []
    if section.kind == .video {
      var formats: [UInt8: VideoPayloadFormat] = [:]
      for codec in section.codecs {
        guard let known = VideoCodec(negotiated: codec) else { continue }
        formats[codec.receivePayloadType] = .media(known)
        if let repair = codec.receiveRetransmissionPayloadType {
          formats[repair] = .retransmission(associated: codec.receivePayloadType)
        }
      }
      for codec in section.unansweredCodecs {
        guard let known = VideoCodec(named: codec.name) else { continue }
        formats[codec.payloadType] = .media(known)
        if let repair = codec.retransmissionPayloadType {
          formats[repair] = .retransmission(associated: codec.payloadType)
        }
      }
      if let red = section.red {
        formats[red.receivePayloadType] = .redundant
        if let repair = red.receiveRetransmissionPayloadType {
          formats[repair] = .retransmission(associated: red.receivePayloadType)
        }
      }
      var configuration = VideoReceiverConfiguration(formats: formats, localSSRC: localSSRC)
      configuration.signalledSSRC = section.remoteStreams.first?.ssrc
      configuration.hasFrameMetadata = session.frameMetadata
      configuration.canRequestRetransmission = section.codecs.contains { $0.has(.nack) }
      configuration.canSendPictureLoss = section.codecs.contains { $0.has(.pictureLoss) }
      configuration.canSendFullIntraRequest = section.codecs.contains { $0.has(.fullIntraRequest) }
      let made = VideoReceiver(configuration: configuration, pool: pool)
      made.roundTripTime = roundTripTime
      receiver = .video(made)
      payloadTypes = Set(formats.keys)
    } else {
      let opus = Set(section.codecs.filter { $0.isNamed("opus") }.map(\.receivePayloadType))
      var configuration = AudioReceiver.Configuration(opusPayloadTypes: opus)
      if let red = section.red { configuration.redundantPayloadTypes = [red.receivePayloadType] }
      configuration.signalledSSRC = section.remoteStreams.first?.ssrc
      receiver = .audio(AudioReceiver(configuration: configuration, pool: pool))
      payloadTypes = opus.union(configuration.redundantPayloadTypes)
    }
    sections[section.index] = Section(
      mid: section.mid, receiver: receiver, negotiated: section, extensions: map)
    demultiplexer.add(
      RTPDemultiplexer.Section(
        index: section.index, mid: section.mid, payloadTypes: payloadTypes,
        ssrcs: section.remoteStreams.flatMap { [$0.ssrc] + ($0.retransmissionSSRC.map { [$0] } ?? []) }))
  }

  // MARK: Input

  /// Takes a decrypted packet; its receiver gives the buffer back once it is done with it.
  func handle(_ packet: consuming PacketBuffer, receivedAt: Instant, at now: Instant) {
    guard let header = try? RTPHeader(parsing: packet.bytes) else {
      strayPackets += 1
      pool.give(packet)
      return
    }
    let values = RTPExtensionValues(of: header, in: packet.bytes, map: extensions)
    if let number = values.transportSequenceNumber {
      feedback.handle(sequenceNumber: number, mediaSSRC: header.ssrc, at: receivedAt)
    }
    guard let index = demultiplexer.section(for: header, extensions: values), let section = sections[index]
    else {
      strayPackets += 1
      pool.give(packet)
      return
    }
    reports.start(at: now)
    switch section.receiver {
    case .video(let receiver):
      receiver.handle(packet, header: header, colourSpace: values.colourSpace, at: now)
      drain(receiver, section.mid, at: now)
    case .audio(let receiver):
      receiver.handle(packet, header: header, at: now)
      while let audio = receiver.nextPacket() { events.append(.audioPacket(mid: section.mid, audio)) }
    }
  }

  private func drain(_ receiver: VideoReceiver, _ mid: String, at now: Instant) {
    while let frame = receiver.nextFrame(at: now) { events.append(.videoFrame(mid: mid, frame)) }
  }

  func handle(_ packet: RTCPPacket, at now: Instant) {
    switch packet {
    case .senderReport(let report):
      for section in sections.values {
        switch section.receiver {
        case .video(let receiver): receiver.handle(report, at: now)
        case .audio(let receiver): receiver.handle(report, at: now)
        }
      }
    case .goodbye(let goodbye):
      for section in sections.values {
        if case .video(let receiver) = section.receiver { receiver.handle(goodbye) }
      }
    default: break
    }
  }

  func setRoundTripTime(_ time: Interval) {
    guard time != roundTripTime else { return }
    roundTripTime = time
    for receiver in videoReceivers { receiver.roundTripTime = time }
  }

  func requestKeyframe(of mid: String, at now: Instant) {
    for section in sections.values where section.mid == mid {
      if case .video(let receiver) = section.receiver { receiver.requestKeyframe(at: now) }
    }
  }

  func nextTimeout() -> Instant? {
    var next = Optional.earliest(feedback.nextTimeout, reports.nextTimeout)
    for section in sections.values {
      if case .video(let receiver) = section.receiver { next = Optional.earliest(next, receiver.nextTimeout) }
    }
    return next
  }

  func handleTimeout(at now: Instant) {
    for section in sections.values {
      guard case .video(let receiver) = section.receiver, let due = receiver.nextTimeout, due <= now else {
        continue
      }
      receiver.handleTimeout(at: now)
      drain(receiver, section.mid, at: now)
    }
  }

  // MARK: Output

  func nextEvent() -> PeerConnectionEvent? { events.popFirst() }

  /// The compound that is due: what the senders report (empty or not), with this side's report blocks, or a
  /// receiver report of its own. Empty when nothing is due.
  func nextReports(at now: Instant, besides senderReports: [RTCPPacket]) -> [RTCPPacket] {
    guard !senderReports.isEmpty || reports.isDue(at: now) else { return [] }
    let blocks = takeReportBlocks(at: now)
    guard case .senderReport(var first) = senderReports.first else {
      guard !blocks.isEmpty else {
        if reports.isDue(at: now) { reports.reported(at: now) }
        return senderReports
      }
      return reports.report(blocks, at: now) + senderReports
    }
    reports.reported(at: now)
    first.reports = Array(blocks.prefix(31))
    return [.senderReport(first)] + senderReports.dropFirst()
  }

  private func takeReportBlocks(at now: Instant) -> [ReportBlock] {
    sections.sorted { $0.key < $1.key }.compactMap { _, section in
      switch section.receiver {
      case .video(let receiver): receiver.takeReportBlock(at: now)
      case .audio(let receiver): receiver.takeReportBlock(at: now)
      }
    }
  }

  /// The next feedback datagram that is due: arrival times, or lost packets and keyframe requests.
  ///
  /// With `a=rtcp-rsize` feedback travels alone (RFC 5506); otherwise behind an empty receiver report.
  func nextFeedback(at now: Instant) -> [RTCPPacket]? {
    if let message = feedback.nextFeedback(at: now) { return wrap(.transportFeedback(message)) }
    for receiver in videoReceivers {
      if let packet = receiver.nextFeedback(at: now) { return wrap(packet) }
    }
    return nil
  }

  private func wrap(_ packet: RTCPPacket) -> [RTCPPacket] {
    let isReducedSize = sections.values.allSatisfy(\.negotiated.hasReducedSizeRTCP)
    return isReducedSize ? [packet] : [.receiverReport(ReceiverReport(ssrc: localSSRC)), packet]
  }

  func statistics() -> [InboundStreamStatistics] {
    sections.sorted { $0.key < $1.key }.compactMap { _, section in
      switch section.receiver {
      case .video(let receiver):
        let counters = receiver.statistics
        return counters.ssrc.map { ssrc in
          InboundStreamStatistics(
            mid: section.mid, ssrc: ssrc, isVideo: true,
            packetsReceived: Int(clamping: counters.packetsReceived),
            packetsLost: Int(clamping: counters.packetsLost),
            bytesReceived: Int(clamping: counters.bytesReceived),
            jitter: counters.jitter, nackCount: Int(clamping: counters.nackCount),
            framesDropped: Int(clamping: counters.framesDropped))
        }
      case .audio(let receiver):
        let counters = receiver.statistics
        return counters.ssrc.map { ssrc in
          InboundStreamStatistics(
            mid: section.mid, ssrc: ssrc, isVideo: false,
            packetsReceived: Int(clamping: counters.packetsReceived),
            packetsLost: Int(clamping: counters.packetsLost),
            bytesReceived: Int(clamping: counters.bytesReceived),
            jitter: counters.jitter, nackCount: 0, framesDropped: 0)
        }
      }
    }
  }
}
