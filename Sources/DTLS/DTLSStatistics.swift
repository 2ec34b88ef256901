/// Counters of a transport; they only grow.
package struct DTLSStatistics: Hashable, Sendable {
  package var datagramsReceived: UInt64 = 0
  package var datagramsSent: UInt64 = 0
  /// Flights sent again because no answer came in time.
  package var retransmissions: UInt64 = 0
  /// Datagrams that are no DTLS records, or came when nothing was expected.
  package var ignored: UInt64 = 0
  /// Early datagrams for which there was no more room.
  package var earlyDropped: UInt64 = 0
  /// Datagrams to send, or data received, that were dropped because nobody drained the queue.
  package var queueDropped: UInt64 = 0
}
