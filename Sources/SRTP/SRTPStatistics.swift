/// Counters of a session; they only grow.
package struct SRTPStatistics: Hashable, Sendable {
  package var protected: UInt64 = 0
  package var unprotected: UInt64 = 0
  package var authenticationFailures: UInt64 = 0
  /// Packets seen before, or too old for the window.
  package var replays: UInt64 = 0
  package var malformed: UInt64 = 0
  /// Everything else that did not pass: no room, too many sources, expired keys, trouble in the library.
  package var refused: UInt64 = 0
  /// How often a received stream's sequence number went over 65535.
  package var inboundRollovers: UInt64 = 0
  /// How often a sent stream's sequence number went over 65535.
  package var outboundRollovers: UInt64 = 0

  mutating func add(_ other: SRTPStatistics) {
    protected &+= other.protected
    unprotected &+= other.unprotected
    authenticationFailures &+= other.authenticationFailures
    replays &+= other.replays
    malformed &+= other.malformed
    refused &+= other.refused
    inboundRollovers &+= other.inboundRollovers
    outboundRollovers &+= other.outboundRollovers
  }
}
