import CSRTP
import WireFormat

/// One direction of a session: a libsrtp context with a template for any SSRC.
///
/// The library's pointers stay in this file.
@safe final class SRTPContext {
  enum Direction {
    case inbound
    case outbound
  }

  /// Packets that may come late and still pass. At 2 500 packets a second this is 0.8 s; the table of a
  /// stream costs 256 bytes. (SRTCP's window is 128, fixed in libsrtp.)
  static let replayWindow = 2048

  private let context: srtp_t

  /// After ``SRTPLibrary/start()``.
  init(_ direction: Direction, key: SRTPMasterKey) throws(SRTPError) {
    var policy = unsafe srtp_policy_t()
    let profile =
      switch key.profile {
      case .aes128CMSHA1With80BitTag: srtp_profile_aes128_cm_sha1_80
      case .aeadAES128GCM: srtp_profile_aead_aes_128_gcm
      case .aeadAES256GCM: srtp_profile_aead_aes_256_gcm
      }
    guard
      unsafe srtp_crypto_policy_set_from_profile_for_rtp(&policy.rtp, profile) == srtp_err_status_ok,
      unsafe srtp_crypto_policy_set_from_profile_for_rtcp(&policy.rtcp, profile) == srtp_err_status_ok
    else { throw .unavailable(status: srtp_err_status_bad_param.rawValue) }
    unsafe policy.ssrc.type = direction == .inbound ? ssrc_any_inbound : ssrc_any_outbound
    unsafe policy.window_size = UInt(Self.replayWindow)
    // Protecting one index twice with a changed header would give away GCM's authentication key: a packet
    // is sent again as RTX, under its own sequence number, or as the same protected bytes.
    unsafe policy.allow_repeat_tx = 0

    var created: srtp_t?
    let status = unsafe key.keyAndSalt.bytes.withUnsafeBytes { bytes in
      // libsrtp declares the key mutable and only reads it.
      unsafe policy.key = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return unsafe srtp_create(&created, &policy)
    }
    guard status == srtp_err_status_ok, let created = unsafe created else {
      throw .unavailable(status: status.rawValue)
    }
    unsafe context = created
  }

  deinit {
    unsafe srtp_dealloc(context)
  }

  func protectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try unsafe transform(packet) { unsafe srtp_protect($0, $1, $2) }
  }

  func protectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try unsafe transform(packet) { unsafe srtp_protect_rtcp($0, $1, $2) }
  }

  func unprotectRTP(_ packet: PacketBuffer) throws(SRTPError) {
    try unsafe transform(packet) { unsafe srtp_unprotect($0, $1, $2) }
  }

  func unprotectRTCP(_ packet: PacketBuffer) throws(SRTPError) {
    try unsafe transform(packet) { unsafe srtp_unprotect_rtcp($0, $1, $2) }
  }

  @inline(__always)
  private func transform(
    _ packet: PacketBuffer,
    _ operation: (srtp_t, UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>) -> srtp_err_status_t
  ) throws(SRTPError) {
    // Whatever comes of it, the length is libsrtp's; the status is looked at afterwards.
    var status = srtp_err_status_bad_param
    unsafe packet.withUnsafeMutableBytes { room, count in
      guard let base = room.baseAddress else { return count }
      var length = Int32(truncatingIfNeeded: count)
      status = unsafe operation(context, base, &length)
      return Int(length)
    }
    guard status == srtp_err_status_ok else { throw Self.error(status) }
  }

  private static func error(_ status: srtp_err_status_t) -> SRTPError {
    switch status {
    case srtp_err_status_auth_fail: .authenticationFailed
    case srtp_err_status_replay_fail: .replayed
    case srtp_err_status_replay_old, srtp_err_status_pkt_idx_old: .tooOld
    case srtp_err_status_bad_param, srtp_err_status_parse_err: .malformed
    case srtp_err_status_key_expired: .keyExpired
    default: .unavailable(status: status.rawValue)
    }
  }
}
