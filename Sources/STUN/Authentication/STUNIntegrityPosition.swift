/// Where an integrity attribute stands in a message, so that the code can be computed over what is before.
package struct STUNIntegrityPosition: Hashable, Sendable {
  package let algorithm: STUNIntegrityAlgorithm
  /// Of the attribute's type field.
  package let offset: Int
  /// Bytes of the code: 20, or for SHA-256 16 to 32 in steps of 4.
  package let length: Int

  init?(type: UInt16, offset: Int, length: Int) {
    if type == STUNAttributeType.messageIntegrity {
      guard length == 20 else { return nil }
      algorithm = .sha1
    } else {
      guard (16...32).contains(length), length % 4 == 0 else { return nil }
      algorithm = .sha256
    }
    self.offset = offset
    self.length = length
  }
}
