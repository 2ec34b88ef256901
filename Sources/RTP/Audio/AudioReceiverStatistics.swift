import WireFormat

/// Counters of a received audio track, since its beginning.
package struct AudioReceiverStatistics: Hashable, Sendable {
  /// nil before the first packet.
  package var ssrc: UInt32?
  package var packetsReceived: UInt64 = 0
  /// Of RTP payloads.
  package var bytesReceived: UInt64 = 0
  /// Signed: duplicates make it fall.
  package var packetsLost: Int64 = 0
  package var jitter = Interval.zero
  package var packetsMalformed: UInt64 = 0
  /// Packets that nobody fetched in time.
  package var packetsDropped: UInt64 = 0
  /// Lost packets that came as a later one's copy (RED).
  package var packetsRecovered: UInt64 = 0

  package init() {}
}
