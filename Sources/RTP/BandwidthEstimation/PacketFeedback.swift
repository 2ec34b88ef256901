import WireFormat

/// What became of one sent packet, as the receiver's transport-wide feedback tells it.
package struct PacketFeedback: Hashable, Sendable {
  /// The unwrapped transport-wide sequence number.
  package var transportSequence: Int64
  /// When it left, on the sender's clock.
  package var sentAt: Instant
  /// Bytes of the RTP packet.
  package var size: Int
  /// When it came in, on the receiver's clock; nil: it did not.
  package var receivedAt: Instant?
  /// The probe that it belonged to.
  package var probeCluster: Int?
  /// An earlier report had called this packet lost; it was only late.
  package var correctsLoss: Bool

  package init(
    transportSequence: Int64, sentAt: Instant, size: Int, receivedAt: Instant?, probeCluster: Int? = nil,
    correctsLoss: Bool = false
  ) {
    self.transportSequence = transportSequence
    self.sentAt = sentAt
    self.size = size
    self.receivedAt = receivedAt
    self.probeCluster = probeCluster
    self.correctsLoss = correctsLoss
  }
}
