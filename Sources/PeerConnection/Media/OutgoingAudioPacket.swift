import RTP
import WireFormat

/// An Opus packet on its way out.
package struct OutgoingAudioPacket: Sendable {
  package let payload: [UInt8]
  /// Samples at 48 kHz that it stands for: 960 for the usual 20 ms.
  package let sampleCount: Int
  package let level: AudioLevel?
  /// When its first sample was captured, on the clock that drives the connection.
  package let capturedAt: Instant

  package init(payload: [UInt8], sampleCount: Int, level: AudioLevel? = nil, capturedAt: Instant) {
    self.payload = payload
    self.sampleCount = sampleCount
    self.level = level
    self.capturedAt = capturedAt
  }
}
