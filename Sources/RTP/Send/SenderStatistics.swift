import WireFormat

/// What a sending track counts.
package struct SenderStatistics: Hashable, Sendable {
  package var packetsSent = 0
  /// RTP payload bytes, without headers and padding.
  package var bytesSent = 0
  package var retransmittedPacketsSent = 0
  package var retransmittedBytesSent = 0
  package var paddingBytesSent = 0
  package var framesSent = 0
  package var keyframesSent = 0
  /// Frames that found the queue full.
  package var framesDropped = 0
  package var frameWidth = 0
  package var frameHeight = 0
  package var nackCount = 0
  package var pliCount = 0
  package var firCount = 0
  /// From the newest report, 0 to 1; nil before one.
  package var fractionLost: Double?
  /// The peer's count; duplicates can make it negative.
  package var packetsLost = 0
  /// RTP clock units; nil before a report.
  package var jitter: UInt32?
  package var roundTripTime: Interval?
  package var totalRoundTripTime = Interval.zero
  package var roundTripTimeMeasurements = 0
  /// Bits per second; nil before the first estimate.
  package var targetBitrate: Int?

  package init() {}
}
