import DTLS
import ICE
import RTP
import SCTP
import SRTP
import WireFormat

/// A connection's figures, counted from its beginning.
package struct PeerConnectionStatistics: Sendable {
  package let pairs: [ICEPairStatistics]
  package let association: AssociationStatistics
  package let srtp: SRTPStatistics?
  package let handshake: DTLSConnection?
  package let media: MediaStatistics
}

/// What the connection's media counts.
package struct MediaStatistics: Sendable {
  package var inbound: [InboundStreamStatistics] = []
  package var outbound: [OutboundStreamStatistics] = []
  /// The congestion controller's estimate in bits per second; nil while nothing is sent.
  package var targetBitrate: Int?
}

/// One stream that this side sends.
package struct OutboundStreamStatistics: Sendable {
  package let mid: String
  package let ssrc: UInt32
  package let isVideo: Bool
  package let codec: VideoCodec?
  package let counters: SenderStatistics
}

/// One stream that this side receives.
package struct InboundStreamStatistics: Sendable {
  package let mid: String
  package let ssrc: UInt32
  package let isVideo: Bool
  package let packetsReceived: Int
  package let packetsLost: Int
  package let bytesReceived: Int
  package let jitter: Interval
  package let nackCount: Int
  package let framesDropped: Int
}
