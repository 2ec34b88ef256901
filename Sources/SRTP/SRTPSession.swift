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

  /// Its key until the first packet of a direction, from then on what libsrtp made of it: that takes as long as a
  /// round trip in a data centre, and a connection may never send, or receive, any media.
  private enum End {
    case key(SRTPMasterKey)
    case direction(SRTPDirection)
  }

  private var inbound: End
  private var outbound: End

  /// - Parameters:
  ///   - inbound: the key with which the peer sends.
  ///   - outbound: the key with which this end sends.
  package init(inbound: SRTPMasterKey, outbound: SRTPMasterKey) throws(SRTPError) {
    try SRTPLibrary.start()
    self.inbound = .key(inbound)
    self.outbound = .key(outbound)
  }

  private func inboundDirection() throws(SRTPError) -> SRTPDirection {
    switch inbound {
    case .direction(let direction): return direction
    case .key(let key):
      let made = try SRTPDirection(.inbound, key: key)
      inbound = .direction(made)
      return made
    }
  }

  private func outboundDirection() throws(SRTPError) -> SRTPDirection {
    switch outbound {
    case .direction(let direction): return direction
    case .key(let key):
      let made = try SRTPDirection(.outbound, key: key)
      outbound = .direction(made)
      return made
    }
  }

  /// Encrypts an RTP packet and appends its tag (``SRTPProfile/rtpOverhead`` bytes).
  package func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try outboundDirection().protectRTP(packet)
  }

  /// Encrypts a compound RTCP packet and appends its tag and index (``SRTPProfile/rtcpOverhead`` bytes).
  package func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try outboundDirection().protectRTCP(packet)
  }

  /// Checks and decrypts an SRTP packet; its tag is cut off.
  package func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try inboundDirection().unprotectRTP(packet)
  }

  /// Checks and decrypts an SRTCP packet; its index and tag are cut off.
  package func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try inboundDirection().unprotectRTCP(packet)
  }

  package var statistics: SRTPStatistics {
    var result = SRTPStatistics()
    if case .direction(let inbound) = inbound {
      result.add(inbound.failures)
      result.unprotected = inbound.passed
      result.inboundRollovers = inbound.rollovers
    }
    if case .direction(let outbound) = outbound {
      result.add(outbound.failures)
      result.protected = outbound.passed
      result.outboundRollovers = outbound.rollovers
    }
    return result
  }
}
