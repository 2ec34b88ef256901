import WireFormat

/// The master key and salt of one direction (RFC 3711 section 3.2.1).
package struct SRTPMasterKey: Sendable {
  package let profile: SRTPProfile
  /// The key followed by the salt, as libsrtp takes them.
  package let keyAndSalt: SecretBytes

  /// nil when the length is not the profile's.
  package init?(profile: SRTPProfile, keyAndSalt: SecretBytes) {
    guard keyAndSalt.count == profile.keyLength + profile.saltLength else { return nil }
    self.profile = profile
    self.keyAndSalt = keyAndSalt
  }

  /// nil when a length is not the profile's.
  package init?(profile: SRTPProfile, key: RawSpan, salt: RawSpan) {
    guard key.byteCount == profile.keyLength, salt.byteCount == profile.saltLength else { return nil }
    self.profile = profile
    let keyLength = key.byteCount
    keyAndSalt = unsafe SecretBytes(count: keyLength + salt.byteCount) { room in
      for offset in 0..<keyLength {
        unsafe room[offset] = key.byte(at: offset) ?? 0
      }
      for offset in 0..<salt.byteCount {
        unsafe room[keyLength + offset] = salt.byte(at: offset) ?? 0
      }
    }
  }
}
