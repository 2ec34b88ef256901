import SRTP
import Testing
import TestSupport
import WireFormat

struct SRTPSessionTests {
  @Test(arguments: SRTPProfile.allCases)
  func `a packet survives protection and is unreadable in between`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let packet = try rtpPacket(sequence: 1)
    let clear = packet.bytes.copyBytes()
    try pair.sender.protectRTP(packet)
    #expect(packet.count == clear.count + profile.rtpOverhead)
    #expect(Array(packet.bytes.copyBytes()[12..<clear.count]) != Array(clear[12...]))
    try pair.receiver.unprotectRTP(packet)
    #expect(packet.bytes.copyBytes() == clear)

    let report = PacketBuffer(copying: hex("80c90001 12345678"))
    try pair.sender.protectRTCP(report)
    #expect(report.count == 8 + profile.rtcpOverhead)
    try pair.receiver.unprotectRTCP(report)
    #expect(hex(report.bytes.copyBytes()) == "80c9000112345678")
  }

  @Test(arguments: SRTPProfile.allCases)
  func `a replayed packet is refused and counted`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let packet = try pair.protected([5])[0]
    _ = try pair.receive(packet).get()
    for _ in 0..<3 {
      #expect(pair.receive(packet) == .failure(.replayed))
    }
    let report = PacketBuffer(copying: hex("80c90001 12345678"))
    try pair.sender.protectRTCP(report)
    let copy = PacketBuffer(copying: report.bytes.copyBytes())
    try pair.receiver.unprotectRTCP(report)
    #expect(throws: SRTPError.replayed) { try pair.receiver.unprotectRTCP(copy) }
    #expect(pair.receiver.statistics.replays == 4)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `packets up to 2 047 late open, older ones do not`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let sent = try pair.protected(0..<3000)
    _ = try pair.receive(sent[2999]).get()
    #expect(try pair.receive(sent[2999 - 2047]).get() == 952)
    #expect(try pair.receive(sent[2999 - 1024]).get() == 1975)
    #expect(pair.receive(sent[2999 - 2048]) == .failure(.tooOld))
    #expect(pair.receive(sent[0]) == .failure(.tooOld))
    #expect(pair.receiver.statistics.replays == 2)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `another key fails, is counted, and does no harm`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile, seed: 1)
    let stranger = try SRTPPair(profile, seed: 2)
    for packet in try stranger.protected(1..<11) {
      #expect(pair.receive(packet) == .failure(.authenticationFailed))
    }
    #expect(pair.receiver.statistics.authenticationFailures == 10)
    // The forged packets did not move the replay window.
    for packet in try pair.protected(1..<11) { _ = try pair.receive(packet).get() }
  }

  @Test(arguments: SRTPProfile.allCases)
  func `truncated packets are errors at every length`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let packet = try pair.protected([1])[0]
    for length in 0..<packet.count {
      guard case .failure = pair.receive(Array(packet[..<length])) else {
        Issue.record("\(length) bytes were taken")
        continue
      }
    }
    let report = PacketBuffer(copying: hex("80c90001 12345678"))
    try pair.sender.protectRTCP(report)
    let bytes = report.bytes.copyBytes()
    for length in 0..<bytes.count {
      #expect(throws: SRTPError.self) {
        try pair.receiver.unprotectRTCP(PacketBuffer(copying: Array(bytes[..<length])))
      }
    }
    #expect(pair.receiver.statistics.unprotected == 0)
    #expect(try pair.receive(packet).get() == 1)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `changed packets never open`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let packets = try pair.protected(0..<200)
    var random = RandomSource(seed: 42)
    for packet in packets {
      var changed = packet
      for _ in 0...(random.next() % 3) {
        changed[Int(random.next() % UInt64(changed.count))] ^= UInt8(1 + random.next() % 255)
      }
      if changed == packet { continue }
      guard case .failure = pair.receive(changed) else {
        Issue.record("opened: \(hex(changed))")
        continue
      }
    }
    #expect(pair.receiver.statistics.unprotected == 0)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `random bytes of any length are refused both ways`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    var random = RandomSource(seed: 43)
    for _ in 0..<3000 {
      var bytes = random.bytes(Int(random.next() % 90))
      if !bytes.isEmpty { bytes[0] = 0x80 | bytes[0] & 0x3F }
      #expect(throws: SRTPError.self) { try pair.receiver.unprotectRTP(PacketBuffer(copying: bytes)) }
      #expect(throws: SRTPError.self) { try pair.receiver.unprotectRTCP(PacketBuffer(copying: bytes)) }
    }
  }

  @Test func `a header that claims more than there is cannot be protected`() throws {
    let pair = try SRTPPair(.aeadAES128GCM)
    let fifteenSources = "8f600001 00000001 00000002"
    let longExtension = "90600001 00000001 00000002 bede00ff"
    for text in ["", "80", "80600001 00000001", fifteenSources, longExtension] {
      #expect(throws: SRTPError.malformed) { try pair.sender.protectRTP(PacketBuffer(copying: hex(text))) }
    }
    #expect(throws: SRTPError.malformed) { try pair.sender.protectRTCP(PacketBuffer(copying: hex("80c9"))) }
    #expect(pair.sender.statistics.malformed == 6)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `a full buffer is an error, not an overrun`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let packet = try rtpPacket(sequence: 1)
    try packet.appendZeros(packet.tailroom - profile.rtpOverhead + 1)
    #expect(throws: SRTPError.noRoom) { try pair.sender.protectRTP(packet) }
    packet.truncate(to: packet.count - 1)
    try pair.sender.protectRTP(packet)
    #expect(packet.tailroom == 0)
    let report = PacketBuffer(copying: hex("80c90001 12345678"))
    try report.appendZeros(report.tailroom - profile.rtcpOverhead + 1)
    #expect(throws: SRTPError.noRoom) { try pair.sender.protectRTCP(report) }
    #expect(pair.sender.statistics.refused == 2)
  }

  @Test func `one index is protected once`() throws {
    let pair = try SRTPPair(.aeadAES128GCM)
    _ = try pair.protected([1, 2, 3])
    #expect(throws: SRTPError.replayed) { try pair.protected([2]) }
  }

  @Test func `sources beyond the limit are refused, known ones go on`() throws {
    let pair = try SRTPPair(.aeadAES128GCM)
    var firstSource: [[UInt8]] = []
    for source in 0..<UInt32(SRTPSession.sourceLimit) {
      let packets = try pair.protected([1, 2], ssrc: source)
      _ = try pair.receive(packets[0]).get()
      if source == 0 { firstSource = packets }
    }
    #expect(throws: SRTPError.tooManySources) { try pair.protected([1], ssrc: 0xFFFF) }
    #expect(try pair.receive(firstSource[1]).get() == 2)
    let other = try SRTPPair(.aeadAES128GCM)
    #expect(pair.receive(try other.protected([1], ssrc: 0xFFFF)[0]) == .failure(.tooManySources))
    #expect(pair.receiver.statistics.refused == 1)
  }

  @Test func `forged sources take no room`() throws {
    let pair = try SRTPPair(.aeadAES128GCM, seed: 1)
    let stranger = try SRTPPair(.aeadAES128GCM, seed: 2)
    for source in 0..<UInt32(SRTPSession.sourceLimit) {
      #expect(
        pair.receive(try stranger.protected([1], ssrc: source)[0]) == .failure(.authenticationFailed))
    }
    #expect(try pair.receive(pair.protected([1], ssrc: 0xFFFF)[0]).get() == 1)
  }

  @Test func `sessions come and go on many threads`() async throws {
    await withTaskGroup(of: UInt64.self) { group in
      for seed in 0..<8 {
        group.addTask {
          var opened: UInt64 = 0
          for round in 0..<50 {
            guard let pair = try? SRTPPair(SRTPProfile.allCases[round % 3], seed: UInt64(seed * 100 + round)),
              let packets = try? pair.protected(0..<4)
            else { continue }
            for packet in packets { _ = pair.receive(packet) }
            opened += pair.receiver.statistics.unprotected
          }
          return opened
        }
      }
      for await opened in group { #expect(opened == 200) }
    }
  }

  @Test(arguments: SRTPProfile.allCases)
  func `keys of a wrong length are no keys`(profile: SRTPProfile) {
    let short = SecretBytes(copying: [UInt8](repeating: 1, count: profile.exportedLength - 1).rawSpan)
    #expect(SRTPKeyingMaterial(profile: profile, exported: short) == nil)
    #expect(SRTPMasterKey(profile: profile, keyAndSalt: short) == nil)
  }

  @Test func `keys do not print`() throws {
    let material = try SRTPPair.material(.aeadAES128GCM, seed: 1)
    #expect("\(material.client.keyAndSalt)" == "28 secret bytes")
    var dump = ""
    Swift.dump(material, to: &dump)
    #expect(dump.contains("28 secret bytes"))
  }
}
