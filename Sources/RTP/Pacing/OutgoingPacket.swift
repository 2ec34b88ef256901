import WireFormat

/// An RTP packet on its way to the socket, complete but for what is only known when it leaves.
package struct OutgoingPacket {
  package var buffer: PacketBuffer
  package var priority: PacketPriority
  /// The connection's number of the sender it belongs to.
  package var track: Int
  package var sequenceNumber: UInt16
  package var enqueuedAt: Instant
  /// Where in the packet the transport-wide sequence number is to be written; nil: it has none.
  package var transportSequenceOffset: Int?
  /// Where the absolute send time is to be written.
  package var absoluteSendTimeOffset: Int?
  package var probeCluster: Int?
  /// Bytes before the payload.
  package var headerSize = 0

  package init(
    buffer: PacketBuffer, priority: PacketPriority, track: Int, sequenceNumber: UInt16 = 0,
    enqueuedAt: Instant, transportSequenceOffset: Int? = nil, absoluteSendTimeOffset: Int? = nil
  ) {
    self.buffer = buffer
    self.priority = priority
    self.track = track
    self.sequenceNumber = sequenceNumber
    self.enqueuedAt = enqueuedAt
    self.transportSequenceOffset = transportSequenceOffset
    self.absoluteSendTimeOffset = absoluteSendTimeOffset
  }
}
