import WireFormat

/// What the DTLS handshake yields for SRTP: a profile, and the keys with which each end sends.
package struct SRTPKeyingMaterial: Sendable {
  package let profile: SRTPProfile
  /// With which the DTLS client protects what it sends.
  package let client: SRTPMasterKey
  /// With which the DTLS server protects what it sends.
  package let server: SRTPMasterKey

  /// Splits what the exporter gave for the label `EXTRACTOR-dtls_srtp` (RFC 5764 section 4.2): client key,
  /// server key, client salt, server salt. nil when the length is not the profile's.
  package init?(profile: SRTPProfile, exported: SecretBytes) {
    guard exported.count == profile.exportedLength else { return nil }
    let (key, salt) = (profile.keyLength, profile.saltLength)
    let bytes = exported.bytes
    guard
      let client = SRTPMasterKey(
        profile: profile, key: bytes.clamped(0..<key), salt: bytes.clamped(2 * key..<2 * key + salt)),
      let server = SRTPMasterKey(
        profile: profile, key: bytes.clamped(key..<2 * key),
        salt: bytes.clamped(2 * key + salt..<2 * (key + salt)))
    else { return nil }
    self.profile = profile
    self.client = client
    self.server = server
  }
}
