import WireFormat

/// What a session keeps for one direction: the library's context, the sources, the counters.
///
/// A class with plain fields, not a struct within the session: each access to a field ends before anything
/// else is called, so that the compiler proves exclusivity and a packet pays nothing for it.
final class SRTPDirection {
  private static let rtpHeaderLength = 12
  private static let rtcpHeaderLength = 8

  /// The key until the first packet, from then on what libsrtp made of it: that takes as long as a round trip in a
  /// data centre, and a connection may never send, or receive, any media.
  private enum Cipher {
    case key(SRTPMasterKey)
    case context(SRTPContext)
  }

  private let direction: SRTPContext.Direction
  private var cipher: Cipher
  private let profile: SRTPProfile
  // The table calls nothing back, so no access to it can meet another.
  @safe @exclusivity(unchecked) private var sources = SourceTable(limit: SRTPSession.sourceLimit)

  private(set) var passed: UInt64 = 0
  private(set) var rollovers: UInt64 = 0
  private(set) var failures = SRTPStatistics()

  init(_ direction: SRTPContext.Direction, key: SRTPMasterKey) {
    self.direction = direction
    cipher = .key(key)
    profile = key.profile
  }

  private func context() throws(SRTPError) -> SRTPContext {
    switch cipher {
    case .context(let context): return context
    case .key(let key):
      let made = try SRTPContext(direction, key: key)
      cipher = .context(made)
      return made
    }
  }

  func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    let header = try readRTP(packet)
    guard packet.tailroom >= profile.rtpOverhead else { throw count(.noRoom) }
    let place = try admit(header.ssrc)
    do { try context().protectRTP(packet) } catch { throw count(error) }
    note(header.ssrc, at: place, sequence: header.sequence)
  }

  func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    let ssrc = try readRTCP(packet)
    guard packet.tailroom >= profile.rtcpOverhead else { throw count(.noRoom) }
    let place = try admit(ssrc)
    do { try context().protectRTCP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: nil)
  }

  func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    let header = try readRTP(packet)
    let place = try admit(header.ssrc)
    do { try context().unprotectRTP(packet) } catch { throw count(error) }
    note(header.ssrc, at: place, sequence: header.sequence)
  }

  func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    let ssrc = try readRTCP(packet)
    let place = try admit(ssrc)
    do { try context().unprotectRTCP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: nil)
  }

  private func readRTP(_ packet: PacketBuffer) throws(SRTPError) -> (ssrc: UInt32, sequence: UInt16) {
    let bytes = packet.bytes
    guard bytes.byteCount >= Self.rtpHeaderLength, let sequence = bytes.uint16(at: 2),
      let ssrc = bytes.uint32(at: 8)
    else { throw count(.malformed) }
    return (ssrc, sequence)
  }

  private func readRTCP(_ packet: PacketBuffer) throws(SRTPError) -> UInt32 {
    let bytes = packet.bytes
    guard bytes.byteCount >= Self.rtcpHeaderLength, let ssrc = bytes.uint32(at: 4) else {
      throw count(.malformed)
    }
    return ssrc
  }

  private func admit(_ ssrc: UInt32) throws(SRTPError) -> SourceTable.Place {
    guard let place = sources.place(of: ssrc) else { throw count(.tooManySources) }
    return place
  }

  private func note(_ ssrc: UInt32, at place: SourceTable.Place, sequence: UInt16?) {
    passed &+= 1
    if sources.note(ssrc, at: place, sequence: sequence) { rollovers &+= 1 }
  }

  private func count(_ error: SRTPError) -> SRTPError {
    switch error {
    case .authenticationFailed: failures.authenticationFailures &+= 1
    case .replayed, .tooOld: failures.replays &+= 1
    case .malformed: failures.malformed &+= 1
    case .noRoom, .tooManySources, .keyExpired, .unavailable: failures.refused &+= 1
    }
    return error
  }
}
