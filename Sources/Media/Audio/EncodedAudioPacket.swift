/// One Opus packet on its way to the packetizer.
package struct EncodedAudioPacket: Hashable, Sendable {
  package var payload: [UInt8]
  /// 48 kHz, from 0; the packetizer adds its random offset. Follows the samples, and the clock over a time
  /// in which nothing was sent.
  package var rtpTimestamp: UInt32
  /// The first packet after a time without packets (RFC 3551 section 4.1): the marker bit.
  package var isTalkSpurtStart: Bool
  /// Made up because nothing was pushed.
  package var isSilence: Bool
}
