import RTP
import SDP
import WireFormat

/// A connection's media: senders and receivers by section, and the RTCP between them.
///
/// A machine: plain RTP and RTCP in, plain RTP and RTCP out; encryption is the transport's.
final class MediaEngine {
  private let senders: MediaSenders
  private let receivers: MediaReceivers
  private let pool: PacketPool
  private var outgoingRTCP = FIFO<PacketBuffer>()
  private var isStarted = false
  private var isClosed = false

  init(unixTimeAtOrigin: Int64, pool: PacketPool, random: RandomSource) {
    var random = random
    self.pool = pool
    senders = MediaSenders(unixTimeAtOrigin: unixTimeAtOrigin, pool: pool, random: random.split())
    receivers = MediaReceivers(
      localSSRC: random.uint32(), pool: pool, canonicalName: random.iceString(16), random: random.split())
  }

  /// What the descriptions say now; senders and receivers of sections that stay as they were go on.
  func configure(_ session: NegotiatedSession, transceivers: [Transceiver], at now: Instant) {
    senders.configure(session, transceivers: transceivers, at: now)
    receivers.configure(session)
  }

  /// There are keys: packets may leave. What was sent before is not kept.
  func start(at now: Instant) {
    isStarted = true
  }

  // MARK: Input

  /// Takes a decrypted RTP packet, which goes back to the pool from here.
  func handleRTP(_ packet: consuming PacketBuffer, receivedAt: Instant, at now: Instant) {
    receivers.handle(packet, receivedAt: receivedAt, at: now)
  }

  /// Takes a decrypted RTCP datagram. Packets of it that are malformed are passed over.
  func handleRTCP(_ datagram: RawSpan, at now: Instant) {
    guard let compound = try? RTCPCompound(parsing: datagram) else { return }
    for packet in compound.packets {
      senders.handle(packet, at: now)
      receivers.handle(packet, at: now)
    }
  }

  func setRoundTripTime(_ time: Interval, at now: Instant) {
    receivers.setRoundTripTime(time)
  }

  func handleTimeout(at now: Instant) {
    senders.handleTimeout(at: now)
    receivers.handleTimeout(at: now)
  }

  func nextTimeout() -> Instant? {
    guard isStarted, !isClosed else { return nil }
    return Optional.earliest(senders.nextTimeout(), receivers.nextTimeout())
  }

  // MARK: Output

  func nextRTP(at now: Instant) -> PacketBuffer? {
    isStarted ? senders.nextTransmit(at: now) : nil
  }

  func nextRTCP(at now: Instant) -> PacketBuffer? {
    guard isStarted else { return nil }
    collectReports(at: now)
    return outgoingRTCP.popFirst()
  }

  func nextEvent() -> PeerConnectionEvent? { receivers.nextEvent() ?? senders.nextEvent() }

  private func collectReports(at now: Instant) {
    guard outgoingRTCP.isEmpty else { return }
    let senderReports = senders.nextReports(at: now)
    let receiverReports = receivers.nextReports(at: now, besides: senderReports)
    if !receiverReports.isEmpty { enqueue(receiverReports) }
    while let feedback = receivers.nextFeedback(at: now) { enqueue(feedback) }
  }

  private func enqueue(_ packets: [RTCPPacket]) {
    let buffer = pool.take()
    guard (try? buffer.append(RTCPCompound(packets).serialized())) != nil else {
      pool.give(buffer)
      return
    }
    outgoingRTCP.append(buffer)
  }

  // MARK: Sending

  func sendVideo(_ frame: EncodedVideoFrame, on mid: String, at now: Instant) {
    guard isStarted, !isClosed else { return }
    senders.sendVideo(frame, on: mid, at: now)
  }

  func sendAudio(_ packet: OutgoingAudioPacket, on mid: String, at now: Instant) {
    guard isStarted, !isClosed else { return }
    senders.sendAudio(packet, on: mid, at: now)
  }

  func setIdle(_ mid: String, at now: Instant) { senders.setIdle(mid, at: now) }

  func negotiatedSender(of mid: String) -> NegotiatedSender? { senders.negotiatedSender(of: mid) }

  func requestKeyframe(of mid: String, at now: Instant) { receivers.requestKeyframe(of: mid, at: now) }

  func setBitrateBounds(minimum: Int?, start: Int?, maximum: Int?, at now: Instant) {
    senders.setBounds(minimum: minimum, start: start, maximum: maximum, at: now)
  }

  func setBitrateBounds(minimum: Int?, maximum: Int?, of mid: String, at now: Instant) {
    senders.setBounds(minimum: minimum, maximum: maximum, of: mid, at: now)
  }

  func statistics(at now: Instant) -> MediaStatistics {
    MediaStatistics(
      inbound: receivers.statistics(), outbound: senders.statistics(), targetBitrate: senders.targetBitrate)
  }

  /// Says goodbye for all streams.
  func close(at now: Instant) {
    guard !isClosed else { return }
    isClosed = true
    senders.close(at: now)
    collectReports(at: now)
  }
}
