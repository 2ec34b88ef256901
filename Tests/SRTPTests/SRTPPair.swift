import SRTP
import Testing
import TestSupport
import WireFormat

/// Two sessions whose keys face each other.
struct SRTPPair {
  let sender: SRTPSession
  let receiver: SRTPSession

  init(_ profile: SRTPProfile, seed: UInt64 = 7) throws {
    let material = try SRTPPair.material(profile, seed: seed)
    sender = try SRTPSession(inbound: material.server, outbound: material.client)
    receiver = try SRTPSession(inbound: material.client, outbound: material.server)
  }

  static func material(_ profile: SRTPProfile, seed: UInt64) throws -> SRTPKeyingMaterial {
    var random = RandomSource(seed: seed)
    let bytes = random.bytes(profile.exportedLength)
    return try #require(
      SRTPKeyingMaterial(profile: profile, exported: SecretBytes(copying: bytes.rawSpan)))
  }

  /// The protected packets with these sequence numbers, in this order.
  func protected(_ sequences: some Sequence<Int>, ssrc: UInt32 = 0x1234_5678) throws -> [[UInt8]] {
    try sequences.map { sequence in
      let packet = try rtpPacket(sequence: UInt16(truncatingIfNeeded: sequence), ssrc: ssrc)
      try sender.protectRTP(packet)
      return packet.bytes.copyBytes()
    }
  }

  /// What becomes of a protected packet at the receiver: its sequence number, or the error.
  func receive(_ packet: [UInt8]) -> Result<UInt16, SRTPError> {
    let buffer = PacketBuffer(copying: packet)
    do {
      try receiver.unprotectRTP(buffer)
    } catch {
      return .failure(error)
    }
    return .success(UInt16(packet[2]) << 8 | UInt16(packet[3]))
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
