import WireFormat

/// What the agent tells its owner, or asks of it.
package enum ICEEvent: Hashable, Sendable {
  /// A local candidate to be trickled.
  case localCandidate(ICECandidate)
  /// No more candidates of this generation: `end-of-candidates` may be signalled.
  case gatheringComplete
  case stateChanged(ICEConnectionState)
  /// Another pair carries data now (nil: none does).
  case selectedPairChanged(ICESelectedPair?)
  /// Look the name up (DNS), then call ``ICEAgent/resolved(_:addresses:at:)``; no addresses mean failure.
  case resolve(name: String, id: ICEResolutionID)
  /// Ask for the `.local` name by multicast DNS on all interfaces; repeat for about 5 s.
  case resolveMulticast(name: String, id: ICEResolutionID)
  /// Open a TCP connection, with TLS for `serverName` when it is not nil, then call
  /// ``ICEAgent/streamConnected(_:local:at:)`` or ``ICEAgent/streamFailed(_:at:)``.
  case openStream(id: ICEStreamID, to: SocketAddress, tlsServerName: String?)
  /// Send what is queued and close.
  case closeStream(ICEStreamID)
  /// A server that does not answer or refuses; the text is for people and holds no credentials.
  case serverUnreachable(String)
  /// Something that was left out, and why, for people.
  case note(String)
}
