import WireFormat

/// How much may wait in a ``Pacer``.
///
/// Policy when full: ``Pacer/hasRoom(for:)`` tells the sender before it packetises, which then gives up the
/// whole frame and asks its encoder for a keyframe; a packet that comes all the same is refused. Nothing that
/// waits is thrown away, because half a frame is worth nothing. Audio is exempt: it never waits.
package struct PacerLimits: Hashable, Sendable {
  package var bytes: Int
  package var packets: Int
  /// A backlog that needs longer than this at the pacing rate takes no further frame.
  package var time: Interval

  package init(bytes: Int = 4 << 20, packets: Int = 4096, time: Interval = .seconds(1)) {
    self.bytes = bytes
    self.packets = packets
    self.time = time
  }
}
