import WireFormat

/// Counters since the association was made.
package struct AssociationStatistics: Sendable {
  package var bytesSent: UInt64 = 0
  package var bytesReceived: UInt64 = 0
  package var messagesSent: UInt64 = 0
  package var messagesReceived: UInt64 = 0
  package var packetsSent: UInt64 = 0
  package var packetsReceived: UInt64 = 0
  package var chunksRetransmitted: UInt64 = 0
  package var messagesAbandoned: UInt64 = 0
  package var duplicateChunks: UInt64 = 0
  /// Packets that were not for this association, failed their checksum or were malformed.
  package var packetsDropped: UInt64 = 0
  package var timeouts: UInt64 = 0
  package var tailLossProbes: UInt64 = 0
  package var smoothedRoundTrip: Interval?
  package var minimumRoundTrip: Interval?
  package var congestionWindow = 0
  package var bytesInFlight = 0
  package var peerReceiveWindow = 0

  package init() {}
}
