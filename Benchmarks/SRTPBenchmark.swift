import CSRTP
import SRTP
import WireFormat

/// Protect and unprotect at 1 200 bytes, beside libsrtp called without any wrapper.
enum SRTPBenchmark {
  static let size = 1200
  /// As many packets as are under way at a time in a call: they stay in the processor's cache.
  static let count = 64
  private static let rounds = 2001

  static func run(_ report: inout Report) throws {
    var table = Table(
      "SRTP, packets of \(size) bytes on one core",
      ["profile", "direction", "µs", "packets/s", "libsrtp alone, µs", "% of it"])
    for profile in SRTPProfile.preferenceOrder { try measure(profile, &table) }
    table.note("medians of \(rounds) rounds of \(count) packets, ours and libsrtp's in turn")
    report.add(table)
  }

  private static func measure(_ profile: SRTPProfile, _ table: inout Table) throws {
    var random = RandomSource(seed: 1)
    let exported = random.bytes(profile.exportedLength)
    guard let keys = SRTPKeyingMaterial(profile: profile, exported: SecretBytes(copying: exported.rawSpan))
    else { return }
    let wrapped = try WrappedLoop(keys)
    let bare = BareLoop(keys)
    var sealing: [(ours: Double, bare: Double)] = []
    var opening: [(ours: Double, bare: Double)] = []
    // Alternating, so that a noisy neighbour hits both.
    for round in 0..<rounds {
      let first = UInt16(truncatingIfNeeded: round * count)
      let ours = try wrapped.run(first)
      let library = bare.run(first)
      sealing.append((ours.protect, library.protect))
      opening.append((ours.unprotect, library.unprotect))
    }
    for (direction, figures) in [("protect", sealing), ("unprotect", opening)] {
      let ours = figures.map(\.ours).percentile(50)
      let library = figures.map(\.bare).percentile(50)
      table.add(
        .text("\(profile)"), .text(direction), .number(ours * 1e6), .number(1 / ours),
        .number(library * 1e6), .number(library / ours * 100))
    }
    if bare.failures > 0 { table.note("libsrtp alone refused \(bare.failures) packets") }
  }

  static func packets() -> [PacketBuffer] {
    (0..<count).map { _ in
      var header = ByteWriter()
      header.write(UInt16(0x8060))
      header.writeZeros(6)
      header.write(UInt32(0xCAFE))
      header.writeZeros(size - 12)
      return PacketBuffer(copying: header.bytes)
    }
  }
}

/// Two sessions, one of which opens what the other protected.
private final class WrappedLoop {
  private let sender: SRTPSession
  private let receiver: SRTPSession
  private let packets = SRTPBenchmark.packets()

  init(_ keys: SRTPKeyingMaterial) throws(SRTPError) {
    sender = try SRTPSession(inbound: keys.server, outbound: keys.client)
    receiver = try SRTPSession(inbound: keys.client, outbound: keys.server)
  }

  func run(_ first: UInt16) throws -> (protect: Double, unprotect: Double) {
    for (index, packet) in packets.enumerated() { packet.set(first &+ UInt16(index), at: 2) }
    // The pointer lends the packets: an array's iterator would add a retain and a release to each call.
    return try packets.withUnsafeBufferPointer { packets in
      let protect = try median(rounds: 1, count: packets.count) {
        for index in packets.indices { try sender.protectRTP(packets[index]) }
      }
      let unprotect = try median(rounds: 1, count: packets.count) {
        for index in packets.indices { try receiver.unprotectRTP(packets[index]) }
      }
      return (protect, unprotect)
    }
  }
}

/// The same with libsrtp's functions over plain memory.
private final class BareLoop {
  private static let stride = PacketBuffer.defaultCapacity
  private let memory = UnsafeMutableRawPointer.allocate(
    byteCount: BareLoop.stride * SRTPBenchmark.count, alignment: 16)
  private var lengths = [Int32](repeating: Int32(SRTPBenchmark.size), count: SRTPBenchmark.count)
  private let sender: srtp_t?
  private let receiver: srtp_t?
  private(set) var failures = 0

  init(_ keys: SRTPKeyingMaterial) {
    sender = Self.context(keys, ssrc_any_outbound)
    receiver = Self.context(keys, ssrc_any_inbound)
    for (index, packet) in SRTPBenchmark.packets().enumerated() {
      let bytes = packet.bytes.copyBytes()
      (memory + index * Self.stride).copyMemory(from: bytes, byteCount: bytes.count)
    }
  }

  deinit {
    srtp_dealloc(sender)
    srtp_dealloc(receiver)
    memory.deallocate()
  }

  func run(_ first: UInt16) -> (protect: Double, unprotect: Double) {
    let count = SRTPBenchmark.count
    for index in 0..<count {
      (memory + index * Self.stride + 2).storeBytes(
        of: (first &+ UInt16(index)).bigEndian, as: UInt16.self)
    }
    var failures = 0
    let protect = lengths.withUnsafeMutableBufferPointer { lengths in
      median(rounds: 1, count: count) {
        for index in 0..<count {
          let status = srtp_protect(sender, memory + index * Self.stride, &lengths[index])
          if status != srtp_err_status_ok { failures += 1 }
        }
      }
    }
    let unprotect = lengths.withUnsafeMutableBufferPointer { lengths in
      median(rounds: 1, count: count) {
        for index in 0..<count {
          let status = srtp_unprotect(receiver, memory + index * Self.stride, &lengths[index])
          if status != srtp_err_status_ok { failures += 1 }
        }
      }
    }
    self.failures += failures
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
