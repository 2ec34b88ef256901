import WireFormat

/// One pair's figures, for statistics.
package struct ICEPairStatistics: Sendable {
  package enum State: Sendable, Hashable {
    case frozen, waiting, inProgress, succeeded, failed
  }

  package let id: ICEPairID
  package let local: ICECandidate
  package let remote: ICECandidate
  package let state: State
  package let isNominated: Bool
  package let isSelected: Bool
  package let priority: UInt64
  package let roundTripTime: Interval?
  package let totalRoundTripTime: Interval
  package let requestsSent: Int
  package let responsesReceived: Int
  package let requestsReceived: Int
  package let responsesSent: Int
  package let consentRequestsSent: Int
  package let packetsSent: Int
  package let bytesSent: Int
  package let packetsReceived: Int
  package let bytesReceived: Int
  package let lastPacketReceived: Instant?
  package let lastPacketSent: Instant?
}
