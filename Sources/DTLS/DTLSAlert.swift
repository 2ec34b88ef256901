/// Why a peer ended the handshake or the connection (RFC 8446 section 6).
package struct DTLSAlert: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let unexpectedMessage = DTLSAlert(rawValue: 10)
  package static let handshakeFailure = DTLSAlert(rawValue: 40)
  /// What a peer sends to whom our certificate's fingerprint is not the signalled one, and we to it.
  package static let badCertificate = DTLSAlert(rawValue: 42)
  package static let protocolVersion = DTLSAlert(rawValue: 70)

  private static let names: [UInt8: String] = [
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
    40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate",
    44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
    47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
    51: "decrypt_error", 70: "protocol_version", 71: "insufficient_security", 80: "internal_error",
    86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
    109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
    116: "certificate_required", 120: "no_application_protocol",
  ]

  /// The RFC's name, or the number.
  package var description: String { Self.names[rawValue] ?? "alert \(rawValue)" }
}
