/// What leaves first when several packets wait.
package enum PacketPriority: Int, Hashable, Sendable, CaseIterable {
  /// Never waits: it is little, and late audio is heard.
  case audio
  /// Somebody's picture stands still for want of it.
  case retransmission
  case video
  /// Carries nothing; fills a probe.
  case padding
}
