import SRTP

/// What both ends agreed on.
package struct DTLSConnection: Sendable {
  package let role: DTLSRole
  /// As OpenSSL names it: `DTLSv1.2`.
  package let version: String
  /// As OpenSSL names it: `ECDHE-ECDSA-AES128-GCM-SHA256`.
  package let cipher: String
  /// nil when the peer offered no profile that we know: data channels only.
  package let srtp: SRTPKeyingMaterial?
  /// The peer's certificate, DER.
  package let peerCertificate: [UInt8]

  /// The key with which this end sends.
  package var outboundSRTPKey: SRTPMasterKey? { role == .client ? srtp?.client : srtp?.server }

  /// The key with which the peer sends.
  package var inboundSRTPKey: SRTPMasterKey? { role == .client ? srtp?.server : srtp?.client }
}
