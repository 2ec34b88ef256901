import WireFormat

/// Counters of a received video track, since its beginning.
package struct VideoReceiverStatistics: Hashable, Sendable {
  /// The media stream's; nil before its first packet.
  package var ssrc: UInt32?
  package var codec: VideoCodec?
  /// Media packets, retransmissions in RTX not counted.
  package var packetsReceived: UInt64 = 0
  /// Of RTP payloads.
  package var bytesReceived: UInt64 = 0
  /// Signed: duplicates make it fall. A loss repaired by RTX counts.
  package var packetsLost: Int64 = 0
  package var jitter = Interval.zero
  /// Packets that came by RTX and were wanted.
  package var packetsRepaired: UInt64 = 0
  package var packetsDuplicated: UInt64 = 0
  /// Came after their frame was given up.
  package var packetsLate: UInt64 = 0
  package var packetsMalformed: UInt64 = 0
  package var framesReceived: UInt64 = 0
  package var keyframesReceived: UInt64 = 0
  /// Whole, but never to be decoded.
  package var framesDropped: UInt64 = 0
  /// Packets asked for, repeats counted.
  package var nackCount: UInt64 = 0
  package var pliCount: UInt64 = 0
  package var firCount: UInt64 = 0
  /// Pixels of the last keyframe.
  package var frameWidth = 0
  package var frameHeight = 0

  package init() {}
}
