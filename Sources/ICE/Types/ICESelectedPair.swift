import WireFormat

/// The pair that carries application data.
package struct ICESelectedPair: Hashable, Sendable {
  package let id: ICEPairID
  package let local: ICECandidate
  package let remote: ICECandidate
  /// Where datagrams leave and go to, below any TURN framing.
  package let path: ICETransmitPath
  package let isNominated: Bool
  package let roundTripTime: Interval?

  package var isRelayed: Bool { local.kind == .relayed || remote.kind == .relayed }
}
