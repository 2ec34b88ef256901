import WireFormat

/// One Opus packet on its way from the network thread to the audio thread's jitter buffer.
package struct ReceivedAudioPacket: Hashable, Sendable {
  /// A change means a new stream: nothing before it goes on.
  package var ssrc: UInt32
  package var sequenceNumber: UInt16
  /// 48 kHz.
  package var timestamp: UInt32
  /// The first packet of a talk spurt.
  package var marker: Bool
  package var payload: [UInt8]
  package var arrival: Instant
  /// A copy that came with a later packet (RED).
  package var isRedundant: Bool

  package init(
    ssrc: UInt32, sequenceNumber: UInt16, timestamp: UInt32, marker: Bool = false, payload: [UInt8],
    arrival: Instant, isRedundant: Bool = false
  ) {
    self.ssrc = ssrc
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.marker = marker
    self.payload = payload
    self.arrival = arrival
    self.isRedundant = isRedundant
  }
}
