import WireFormat

/// What a session keeps for one direction: the library's context, the sources, the counters.
struct SRTPDirection {
  private static let rtpHeaderLength = 12
  private static let rtcpHeaderLength = 8

  private let context: SRTPContext
  private let profile: SRTPProfile
  private var sources = SourceTable(limit: SRTPSession.sourceLimit)

  private(set) var passed: UInt64 = 0
  private(set) var rollovers: UInt64 = 0
  private(set) var failures = SRTPStatistics()

  init(_ direction: SRTPContext.Direction, key: SRTPMasterKey) throws(SRTPError) {
    context = try SRTPContext(direction, key: key)
    profile = key.profile
  }

  mutating func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    let (ssrc, sequence) = try readRTP(packet)
    guard packet.tailroom >= profile.rtpOverhead else { throw count(.noRoom) }
    let place = try admit(ssrc)
    do { try context.protectRTP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: sequence)
  }

  mutating func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    let ssrc = try readRTCP(packet)
    guard packet.tailroom >= profile.rtcpOverhead else { throw count(.noRoom) }
    let place = try admit(ssrc)
    do { try context.protectRTCP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: nil)
  }

  mutating func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    let (ssrc, sequence) = try readRTP(packet)
    let place = try admit(ssrc)
    do { try context.unprotectRTP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: sequence)
  }

  mutating func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    let ssrc = try readRTCP(packet)
    let place = try admit(ssrc)
    do { try context.unprotectRTCP(packet) } catch { throw count(error) }
    note(ssrc, at: place, sequence: nil)
  }

  private mutating func readRTP(_ packet: PacketBuffer) throws(SRTPError) -> (UInt32, UInt16) {
    guard packet.count >= Self.rtpHeaderLength else { throw count(.malformed) }
    var reader = ByteReader(packet.bytes)
    do throws(WireError) {
      try reader.skip(2)
      let sequence = try reader.uint16()
      try reader.skip(4)
      return (try reader.uint32(), sequence)
    } catch {
      throw count(.malformed)
    }
  }

  private mutating func readRTCP(_ packet: PacketBuffer) throws(SRTPError) -> UInt32 {
    guard packet.count >= Self.rtcpHeaderLength else { throw count(.malformed) }
    var reader = ByteReader(packet.bytes)
    do throws(WireError) {
      try reader.skip(4)
      return try reader.uint32()
    } catch {
      throw count(.malformed)
    }
  }

  private mutating func admit(_ ssrc: UInt32) throws(SRTPError) -> SourceTable.Place {
    guard let place = sources.place(of: ssrc) else { throw count(.tooManySources) }
    return place
  }

  private mutating func note(_ ssrc: UInt32, at place: SourceTable.Place, sequence: UInt16?) {
    passed &+= 1
    if sources.note(ssrc, at: place, sequence: sequence) { rollovers &+= 1 }
  }

  private mutating func count(_ error: SRTPError) -> SRTPError {
    switch error {
    case .authenticationFailed: failures.authenticationFailures &+= 1
    case .replayed, .tooOld: failures.replays &+= 1
    case .malformed: failures.malformed &+= 1
    case .noRoom, .tooManySources, .keyExpired, .unavailable: failures.refused &+= 1
    }
    return error
  }
}
