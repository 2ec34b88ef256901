/// A short train of packets to be sent at a given rate, to see whether the path carries it.
package struct ProbeRequest: Hashable, Sendable {
  /// Names the train in ``PacketFeedback/probeCluster``.
  package var cluster: Int
  /// Bits per second.
  package var bitrate: Int
  /// The train is over when it has both this many packets and bytes.
  package var minimumPackets: Int
  package var minimumBytes: Int

  package init(cluster: Int, bitrate: Int, minimumPackets: Int = 5, minimumBytes: Int) {
    self.cluster = cluster
    self.bitrate = bitrate
    self.minimumPackets = minimumPackets
    self.minimumBytes = minimumBytes
  }
}
