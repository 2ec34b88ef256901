import WireFormat

/// What a TURN client reports.
protocol TURNClientDelegate: AnyObject {
  /// A relayed address is there: `client.base`.
  func turnAllocated(_ client: TURNClient, at now: Instant)
  /// The allocation behind `base` is gone.
  func turnLost(_ client: TURNClient, base: CandidateBase, at now: Instant)
  /// No (further) attempt will be made.
  func turnFailed(_ client: TURNClient, reason: String, at now: Instant)
  /// A permission was granted only after the first request for it failed, so what was sent meanwhile is lost.
  func turnAllowed(_ client: TURNClient, peer: IPAddress, at now: Instant)
}
