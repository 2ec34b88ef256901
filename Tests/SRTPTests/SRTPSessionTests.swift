import SRTP
import Testing
import TestSupport
import WireFormat

/// Two sessions whose keys face each other.
struct SRTPPair {
  let sender: SRTPSession
  let receiver: SRTPSession

  init(_ profile: SRTPProfile, seed: UInt64 = 7) throws {
    var random = RandomSource(seed: seed)
    let bytes = random.bytes(profile.exportedLength)
    let material = try #require(
      SRTPKeyingMaterial(profile: profile, exported: SecretBytes(copying: bytes.rawSpan)))
    sender = try SRTPSession(inbound: material.server, outbound: material.client)
    receiver = try SRTPSession(inbound: material.client, outbound: material.server)
  }
}

func rtpPacket(sequence: UInt16, ssrc: UInt32 = 0x1234_5678, payload: Int = 100) throws -> PacketBuffer {
  let buffer = PacketBuffer()
  try buffer.append(UInt8(0x80))
  try buffer.append(UInt8(96))
  try buffer.append(sequence)
  try buffer.append(UInt32(sequence) &* 3000)
  try buffer.append(ssrc)
  for index in 0..<payload { try buffer.append(UInt8(truncatingIfNeeded: index)) }
  return buffer
}

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
  }
}
