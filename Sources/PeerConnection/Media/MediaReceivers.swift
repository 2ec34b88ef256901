import RTP
import SDP
import WireFormat

/// The receiving half of a connection's media: one receiver a section, and what is reported back.
final class MediaReceivers {
  private let localSSRC: UInt32
  private let pool: PacketPool
  private var video: [(mid: String, receiver: VideoReceiver)] = []

  init(localSSRC: UInt32, pool: PacketPool) {
    self.localSSRC = localSSRC
    self.pool = pool
  }

  func configure(_ session: NegotiatedSession, transceivers: [Transceiver], at now: Instant) {}
  func handle(_ packet: PacketBuffer, at now: Instant) {}
  func handle(_ packet: RTCPPacket, at now: Instant) {}
  func setRoundTripTime(_ time: Interval) {}
  func handleTimeout(at now: Instant) {}
  func nextTimeout() -> Instant? { nil }
  func nextEvent() -> PeerConnectionEvent? { nil }
  func nextReports(at now: Instant, besides reports: [RTCPPacket]) -> [RTCPPacket] { reports }
  func nextFeedback(at now: Instant) -> [RTCPPacket]? { nil }
  func requestKeyframe(of mid: String, at now: Instant) {}
  func statistics() -> [InboundStreamStatistics] { [] }
}
