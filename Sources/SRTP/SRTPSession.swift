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

  private static let rtpHeaderLength = 12
  private static let rtcpHeaderLength = 8

  private let inbound: SRTPContext
  private let outbound: SRTPContext
  private let outboundProfile: SRTPProfile
  private var inboundSources = SourceTable(limit: SRTPSession.sourceLimit)
  private var outboundSources = SourceTable(limit: SRTPSession.sourceLimit)

  package private(set) var statistics = SRTPStatistics()

  /// - Parameters:
  ///   - inbound: the key with which the peer sends.
  ///   - outbound: the key with which this end sends.
  package init(inbound: SRTPMasterKey, outbound: SRTPMasterKey) throws(SRTPError) {
    self.inbound = try SRTPContext(.inbound, key: inbound)
    self.outbound = try SRTPContext(.outbound, key: outbound)
    outboundProfile = outbound.profile
  }

  /// Encrypts an RTP packet and appends its tag (``SRTPProfile/rtpOverhead`` bytes).
  package func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    guard packet.count >= Self.rtpHeaderLength, let ssrc = packet.bytes.uint32(at: 8),
      let sequence = packet.bytes.uint16(at: 2)
    else { throw count(.malformed) }
    guard packet.tailroom >= outboundProfile.rtpOverhead else { throw count(.noRoom) }
    guard outboundSources.admits(ssrc) else { throw count(.tooManySources) }
    do { try outbound.protectRTP(packet) } catch { throw count(error) }
    statistics.protected &+= 1
    if outboundSources.note(ssrc, sequence: sequence) { statistics.outboundRollovers &+= 1 }
  }

  /// Encrypts a compound RTCP packet and appends its tag and index (``SRTPProfile/rtcpOverhead`` bytes).
  package func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    guard packet.count >= Self.rtcpHeaderLength, let ssrc = packet.bytes.uint32(at: 4) else {
      throw count(.malformed)
    }
    guard packet.tailroom >= outboundProfile.rtcpOverhead else { throw count(.noRoom) }
    guard outboundSources.admits(ssrc) else { throw count(.tooManySources) }
    do { try outbound.protectRTCP(packet) } catch { throw count(error) }
    statistics.protected &+= 1
    _ = outboundSources.note(ssrc, sequence: nil)
  }

  /// Checks and decrypts an SRTP packet; its tag is cut off.
  package func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    guard packet.count >= Self.rtpHeaderLength, let ssrc = packet.bytes.uint32(at: 8),
      let sequence = packet.bytes.uint16(at: 2)
    else { throw count(.malformed) }
    guard inboundSources.admits(ssrc) else { throw count(.tooManySources) }
    do { try inbound.unprotectRTP(packet) } catch { throw count(error) }
    statistics.unprotected &+= 1
    if inboundSources.note(ssrc, sequence: sequence) { statistics.inboundRollovers &+= 1 }
  }

  /// Checks and decrypts an SRTCP packet; its index and tag are cut off.
  package func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    guard packet.count >= Self.rtcpHeaderLength, let ssrc = packet.bytes.uint32(at: 4) else {
      throw count(.malformed)
    }
    guard inboundSources.admits(ssrc) else { throw count(.tooManySources) }
    do { try inbound.unprotectRTCP(packet) } catch { throw count(error) }
    statistics.unprotected &+= 1
    _ = inboundSources.note(ssrc, sequence: nil)
  }

  private func count(_ error: SRTPError) -> SRTPError {
    switch error {
    case .authenticationFailed: statistics.authenticationFailures &+= 1
    case .replayed, .tooOld: statistics.replays &+= 1
    case .malformed: statistics.malformed &+= 1
    case .noRoom, .tooManySources, .keyExpired, .unavailable: statistics.refused &+= 1
    }
    return error
  }
}

extension RawSpan {
  fileprivate func uint16(at offset: Int) -> UInt16? {
    var reader = ByteReader(clamped(offset..<offset + 2))
    return try? reader.uint16()
  }

  fileprivate func uint32(at offset: Int) -> UInt32? {
    var reader = ByteReader(clamped(offset..<offset + 4))
    return try? reader.uint32()
  }
}
