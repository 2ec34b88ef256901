/// Counters of an ``AudioJitterBuffer``, since its beginning.
package struct AudioPlayoutStatistics: Hashable, Sendable {
  package var packetsDecoded: UInt64 = 0
  /// Not there when they were to be played.
  package var packetsLost: UInt64 = 0
  /// Of the lost ones: restored from the next packet's copy.
  package var packetsRecovered: UInt64 = 0
  /// Came after they were to be played.
  package var packetsLate: UInt64 = 0
  /// Left out to catch up, or for want of room.
  package var packetsDiscarded: UInt64 = 0
  package var samplesConcealed: UInt64 = 0
  package var samplesSilent: UInt64 = 0
  /// How often the sound stopped for want of packets.
  package var interruptions: UInt64 = 0
  package var shortenings: UInt64 = 0
  package var lengthenings: UInt64 = 0

  package init() {}
}
