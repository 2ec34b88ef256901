import WireFormat

/// Protects what one end sends and opens what it receives, in place (RFC 3711, RFC 7714).
///
/// All SSRCs of a direction share the master key; each has its own rollover counter and replay window. No
/// error is final: the packet is dropped and counted. After an error the buffer's content means nothing.
///
/// A sender begins a stream with a sequence number below 2^15: otherwise a loss around an early rollover
/// leaves the receiver with a wrong counter for good (RFC 3711 section 3.3.1).
package final class SRTPSession {
  /// The most SSRCs a direction; packets of further ones are refused.
  package static let sourceLimit = 256

  private let inbound: SRTPDirection
  private let outbound: SRTPDirection

  /// - Parameters:
  ///   - inbound: the key with which the peer sends.
  ///   - outbound: the key with which this end sends.
  package init(inbound: SRTPMasterKey, outbound: SRTPMasterKey) throws(SRTPError) {
    try SRTPLibrary.start()
    self.inbound = SRTPDirection(.inbound, key: inbound)
    self.outbound = SRTPDirection(.outbound, key: outbound)
  }

  /// Encrypts an RTP packet and appends its tag (``SRTPProfile/rtpOverhead`` bytes).
  package func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try outbound.protectRTP(packet)
  }

  /// Encrypts a compound RTCP packet and appends its tag and index (``SRTPProfile/rtcpOverhead`` bytes).
  package func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try outbound.protectRTCP(packet)
  }

  /// Checks and decrypts an SRTP packet; its tag is cut off.
  package func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try inbound.unprotectRTP(packet)
  }

  /// Checks and decrypts an SRTCP packet; its index and tag are cut off.
  package func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try inbound.unprotectRTCP(packet)
  }

  package var statistics: SRTPStatistics {
    var result = inbound.failures
    result.add(outbound.failures)
    result.protected = outbound.passed
    result.unprotected = inbound.passed
    result.inboundRollovers = inbound.rollovers
    result.outboundRollovers = outbound.rollovers
    return result
  }
}
