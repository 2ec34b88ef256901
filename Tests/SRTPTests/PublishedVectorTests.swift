import SRTP
import Testing
import TestSupport
import WireFormat

/// The RFCs give session keys, libsrtp takes master keys: so the RFCs' vectors prove the reference, and the
/// reference proves the session.
struct PublishedVectorTests {
  @Test func `the reference's key stream is that of RFC 3711 appendix B_2`() {
    func stream(from counter: String) -> [UInt8] {
      ReferenceSRTP.keyStream(
        key: hex("2B7E151628AED2A6ABF7158809CF4F3C"), start: hex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD" + counter),
        count: 48)
    }
    #expect(
      stream(from: "0000")
        == hex(
          """
          E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB
          41E95B3BB0A2E8DD477901E4FCA894C0
          """))
    #expect(
      stream(from: "FEFF")
        == hex(
          """
          EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE
          6A2CC3787889374FBEB4C81B17BA6C44
          """))
  }

  @Test func `the reference derives the keys of RFC 3711 appendix B_3`() {
    let master = hex("E1F97A0D3E018BE0D64FA32C06DE4139")
    let salt = hex("0EC675AD498AFEEBB6960B3AABE6")
    func derive(_ label: UInt8, _ count: Int) -> [UInt8] {
      ReferenceSRTP.derive(master: master, salt: salt, label: label, count: count)
    }
    #expect(derive(0, 16) == hex("C61E7A93744F39EE10734AFE3FF7A087"))
    #expect(derive(2, 14) == hex("30CBBC08863D8C85D49DB34A9AE1"))
    #expect(derive(1, 20) == hex("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"))
  }

  private static let salt = hex("517569642070726f2071756f")
  private static let key128 = [UInt8](0..<16)
  private static let key256 = [UInt8](0..<32)

  @Test(arguments: [
    (
      key128,
      """
      f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf 8833899d
      7f27beb1 6a9152cf 765ee439 0cce
      """
    ),
    (
      key256,
      """
      32b1de78 a822fe12 ef9f78fa 332e33aa b1801238 9a58e2f3 b50b2a02 76ffae0f 1ba63799 b87b7aa3
      db36dfff d6b0f9bb 7878d7a7 6c13
      """
    ),
  ])
  func `the reference seals the RTP packet of RFC 7714 section 16`(key: [UInt8], expected: String) {
    let header = hex("8040f17b 8041f8d3 5501a0b2")
    let plain = Array("Gallia est omnis divisa in partes tres".utf8)
    // SSRC, rollover counter 0 and sequence number, with the salt.
    let iv = zip(hex("0000 5501a0b2 00000000 f17b"), Self.salt).map { $0 ^ $1 }
    #expect(ReferenceSRTP.sealGCM(key: key, iv: iv, plain: plain, associated: header) == hex(expected))
  }

  @Test(arguments: [
    (
      key128,
      """
      63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46 86303ded
      0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade
      """
    ),
    (
      key256,
      """
      d50ae4d1 f5ce5d30 4ba297e4 7d470c28 2c3ece5d bffe0a50 a2eaa5c1 110555be 8415f658 c61de047
      6f1b6fad 1d1eb30c 4446839f 57ff6f6c b26ac3be
      """
    ),
  ])
  func `the reference seals the RTCP packet of RFC 7714 section 17`(key: [UInt8], expected: String) {
    let header = hex("81c8000d 4d617273")
    let plain = hex(
      """
      4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef deadbeef
      """)
    let iv = zip(hex("0000 4d617273 0000 000005d4"), Self.salt).map { $0 ^ $1 }
    let sealed = ReferenceSRTP.sealGCM(
      key: key, iv: iv, plain: plain, associated: header + hex("800005d4"))
    #expect(sealed == hex(expected))
  }

  @Test(arguments: SRTPProfile.allCases)
  func `a session protects as the reference does, over a rollover too`(profile: SRTPProfile) throws {
    var random = RandomSource(seed: 3711)
    let exported = random.bytes(profile.exportedLength)
    let material = try #require(
      SRTPKeyingMaterial(profile: profile, exported: SecretBytes(copying: exported.rawSpan)))
    let session = try SRTPSession(inbound: material.server, outbound: material.client)
    let clientSalt = Array(exported[(2 * profile.keyLength)...].prefix(profile.saltLength))
    let reference = ReferenceSRTP(
      profile: profile, key: Array(exported.prefix(profile.keyLength)), salt: clientSalt)
    for step in 0..<40 {
      let sequence = UInt16(truncatingIfNeeded: 65_520 + step)
      let packet = packet(sequence: sequence, random: &random)
      let buffer = PacketBuffer(copying: packet.bytes)
      try session.protectRTP(buffer)
      let rollover: UInt32 = 65_520 + step > 65_535 ? 1 : 0
      #expect(
        buffer.bytes.copyBytes()
          == reference.protectRTP(packet.bytes, headerLength: packet.headerLength, rollover: rollover))
    }
    for index in 1...20 {
      let report = hex("80c90001 4d617273") + random.bytes(4 * (index % 7))
      let buffer = PacketBuffer(copying: report)
      try session.protectRTCP(buffer)
      #expect(buffer.bytes.copyBytes() == reference.protectRTCP(report, index: UInt32(index)))
    }
  }

  /// A packet with a contributing source and a header extension now and then.
  private func packet(
    sequence: UInt16, random: inout RandomSource
  ) -> (bytes: [UInt8], headerLength: Int) {
    let sources = Int(random.next() % 3)
    let hasExtension = random.next() % 2 == 0
    var writer = ByteWriter()
    writer.write(0x80 | UInt8(sources) | (hasExtension ? 0x10 : 0))
    writer.write(UInt8(96))
    writer.write(sequence)
    writer.write(random.uint32())
    writer.write(UInt32(0xCAFE_F00D))
    writer.write(random.bytes(4 * sources))
    if hasExtension { writer.write(hex("BEDE0002 10AAF0BB 22CCDD00")) }
    let headerLength = writer.count
    writer.write(random.bytes(Int(random.next() % 1100)))
    return (writer.bytes, headerLength)
  }
}
