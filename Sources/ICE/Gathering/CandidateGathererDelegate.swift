import WireFormat

/// What a gatherer finds.
protocol CandidateGathererDelegate: AnyObject {
  func gathererFound(
    reflexive address: SocketAddress, base: CandidateBase, server: SocketAddress, at now: Instant)
  func gathererFound(relay base: CandidateBase, client: TURNClient, mapped: SocketAddress?, at now: Instant)
  func gathererLost(relay base: CandidateBase, at now: Instant)
  /// What was sent from `base` to `peer` so far was lost for want of a permission, which is there now.
  func gathererAllowed(relay base: CandidateBase, peer: IPAddress, at now: Instant)
  /// Every server answered, failed, or took too long.
  func gathererFinished(at now: Instant)
}
