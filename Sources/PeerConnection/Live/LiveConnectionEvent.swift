/// What a live connection tells its owner, on the network thread and in order. Handlers must not block.
package enum LiveConnectionEvent: Sendable {
  case stateChanged(PeerConnectionState)
  /// A candidate to signal, as the value of `a=candidate`.
  case localCandidate(String, mid: String, index: Int)
  case endOfCandidates
  case channelOpened(label: String)
  case message(label: String, [UInt8], isText: Bool)
  case channelClosed(label: String, reason: String)
  case note(String)
}
