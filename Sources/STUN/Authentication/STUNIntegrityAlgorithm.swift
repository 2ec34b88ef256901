import Digest

/// The hash under the integrity attribute.
package enum STUNIntegrityAlgorithm: Hashable, Sendable {
  /// MESSAGE-INTEGRITY, 20 bytes.
  case sha1
  /// MESSAGE-INTEGRITY-SHA256, 32 bytes; may be cut down to 16 by the sender.
  case sha256

  package var codeLength: Int { self == .sha1 ? 20 : 32 }

  var attributeType: UInt16 {
    self == .sha1 ? STUNAttributeType.messageIntegrity : STUNAttributeType.messageIntegritySHA256
  }

  var hashFunction: HashFunction { self == .sha1 ? .sha1 : .sha256 }
}
