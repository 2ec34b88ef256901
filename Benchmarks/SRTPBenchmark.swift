import CSRTP
import SRTP
import WireFormat

/// Protect and unprotect at 1 200 bytes, beside libsrtp called without any wrapper.
enum SRTPBenchmark {
  private static let size = 1200
  private static let count = 4096

  static func run(arguments: [String]) {
    for profile in SRTPProfile.preferenceOrder {
      do {
        try measure(profile)
      } catch {
        print("srtp: \(error)")
      }
    }
  }

  private static func measure(_ profile: SRTPProfile) throws {
    var random = RandomSource(seed: 1)
    let exported = random.bytes(profile.exportedLength)
    guard let keys = SRTPKeyingMaterial(profile: profile, exported: SecretBytes(copying: exported.rawSpan))
    else { return }
    var sealing: [(ours: Double, bare: Double)] = []
    var opening: [(ours: Double, bare: Double)] = []
    // Alternating, so that a noisy neighbour hits both.
    for _ in 0..<41 {
      let ours = try wrapped(keys)
      let bare = bareLibrary(keys)
      sealing.append((ours.protect, bare.protect))
      opening.append((ours.unprotect, bare.unprotect))
    }
    report("\(profile) protect  ", sealing)
    report("\(profile) unprotect", opening)
  }

  private static func report(_ label: String, _ rounds: [(ours: Double, bare: Double)]) {
    let ours = rounds.map(\.ours).sorted()[rounds.count / 2]
    let bare = rounds.map(\.bare).sorted()[rounds.count / 2]
    print(
      "\(label) \(microseconds(ours)) µs = \(Int(1 / ours)) packets/s; libsrtp alone \(microseconds(bare)) µs; "
        + "\(decimal(bare / ours * 100)) % of it")
  }

  private static func packets() -> [PacketBuffer] {
    (0..<count).map { index in
      var header = ByteWriter()
      header.write(UInt16(0x8060))
      header.write(UInt16(index))
      header.write(UInt32(index))
      header.write(UInt32(0xCAFE))
      header.writeZeros(size - 12)
      return PacketBuffer(copying: header.bytes)
    }
  }

  private static func wrapped(_ keys: SRTPKeyingMaterial) throws -> (protect: Double, unprotect: Double) {
    let sender = try SRTPSession(inbound: keys.server, outbound: keys.client)
    let receiver = try SRTPSession(inbound: keys.client, outbound: keys.server)
    let packets = packets()
    let protect = try median(rounds: 1, count: count) {
      for packet in packets { try sender.protectRTP(packet) }
    }
    let unprotect = try median(rounds: 1, count: count) {
      for packet in packets { try receiver.unprotectRTP(packet) }
    }
    return (protect, unprotect)
  }

  private static func bareLibrary(_ keys: SRTPKeyingMaterial) -> (protect: Double, unprotect: Double) {
    let stride = 2048
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * count, alignment: 16)
    defer { memory.deallocate() }
    for (index, packet) in packets().enumerated() {
      packet.bytes.withUnsafeBytes {
        (memory + index * stride).copyMemory(
          from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
      }
    }
    var lengths = [Int32](repeating: Int32(size), count: count)
    let sender = context(keys, ssrc_any_outbound)
    let receiver = context(keys, ssrc_any_inbound)
    defer {
      srtp_dealloc(sender)
      srtp_dealloc(receiver)
    }
    var failures = 0
    let protect = median(rounds: 1, count: count) {
      for index in 0..<count
      where srtp_protect(sender, memory + index * stride, &lengths[index]).rawValue != 0 {
        failures += 1
      }
    }
    let unprotect = median(rounds: 1, count: count) {
      for index in 0..<count
      where srtp_unprotect(receiver, memory + index * stride, &lengths[index]).rawValue != 0 {
        failures += 1
      }
    }
    if failures > 0 { print("libsrtp alone: \(failures) failures") }
    return (protect, unprotect)
  }

  private static func context(_ keys: SRTPKeyingMaterial, _ direction: srtp_ssrc_type_t) -> srtp_t? {
    var policy = srtp_policy_t()
    let profile =
      switch keys.profile {
      case .aes128CMSHA1With80BitTag: srtp_profile_aes128_cm_sha1_80
      case .aeadAES128GCM: srtp_profile_aead_aes_128_gcm
      case .aeadAES256GCM: srtp_profile_aead_aes_256_gcm
      }
    srtp_crypto_policy_set_from_profile_for_rtp(&policy.rtp, profile)
    srtp_crypto_policy_set_from_profile_for_rtcp(&policy.rtcp, profile)
    policy.ssrc.type = direction
    policy.window_size = 2048
    var created: srtp_t?
    var key = keys.client.keyAndSalt.bytes.copyBytes()
    key.withUnsafeMutableBufferPointer { bytes in
      policy.key = bytes.baseAddress
      srtp_create(&created, &policy)
    }
    return created
  }
}
