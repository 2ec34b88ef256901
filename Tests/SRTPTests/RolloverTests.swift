import SRTP
import Testing
import TestSupport
import WireFormat

struct RolloverTests {
  @Test(arguments: SRTPProfile.allCases)
  func `a late packet from before the wrap still opens`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let sent = try pair.protected(65_530...65_538)
    let late = sent[3]
    for packet in sent where packet != late {
      _ = try pair.receive(packet).get()
    }
    #expect(try pair.receive(late).get() == 65_533)
    #expect(pair.receiver.statistics.inboundRollovers == 1)
    #expect(pair.sender.statistics.outboundRollovers == 1)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `each source has its own rollover counter`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let wrapping = try pair.protected(65_500..<65_600, ssrc: 1)
    let steady = try pair.protected(100..<200, ssrc: 2)
    for (one, other) in zip(wrapping, steady) {
      _ = try pair.receive(one).get()
      _ = try pair.receive(other).get()
    }
    #expect(pair.receiver.statistics.inboundRollovers == 1)
    #expect(pair.receiver.statistics.authenticationFailures == 0)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `loss around the wrap does no harm`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let sent = try pair.protected(65_000..<66_200)
    var random = RandomSource(seed: 15)
    var received = 0
    for (index, packet) in sent.enumerated() {
      // Nothing at all gets through around the wrap, and half of everything else.
      if (430..<700).contains(index) || random.unit() < 0.5 { continue }
      _ = try pair.receive(packet).get()
      received += 1
    }
    #expect(received > 300)
    #expect(pair.receiver.statistics.inboundRollovers == 1)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `three rollovers, received in disorder`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    var random = RandomSource(seed: 16)
    // Every 400th packet of a long stream: within the distance that a receiver can follow.
    let sent = try pair.protected(stride(from: 20_000, to: 3 * 65_536, by: 400))
    var index = 0
    while index + 1 < sent.count {
      if random.unit() < 0.3 {
        _ = try pair.receive(sent[index + 1]).get()
        _ = try pair.receive(sent[index]).get()
      } else {
        _ = try pair.receive(sent[index]).get()
        _ = try pair.receive(sent[index + 1]).get()
      }
      index += 2
    }
    #expect(pair.receiver.statistics.inboundRollovers == 2)
    #expect(pair.receiver.statistics.authenticationFailures == 0)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `a start just before the wrap that is lost shows up as authentication failures`(
    profile: SRTPProfile
  ) throws {
    let pair = try SRTPPair(profile)
    let sent = try pair.protected(65_534...65_545)
    for packet in sent.dropFirst(3) {
      #expect(pair.receive(packet) == .failure(.authenticationFailed))
    }
    #expect(pair.receiver.statistics.authenticationFailures == 9)
    // It does not poison the session: another source is not touched.
    #expect(try pair.receive(pair.protected([7], ssrc: 9)[0]).get() == 7)
  }

  @Test(arguments: SRTPProfile.allCases)
  func `a start below 2^15 survives the same loss`(profile: SRTPProfile) throws {
    let pair = try SRTPPair(profile)
    let sent = try pair.protected(32_767...32_800)
    for packet in sent.dropFirst(3) {
      _ = try pair.receive(packet).get()
    }
    #expect(pair.receiver.statistics.unprotected == 31)
  }
}
