/// Why bytes are not a STUN message that can be used.
package enum STUNError: Error, Hashable, Sendable {
  /// The first two bits, the magic cookie or the alignment of the length are not STUN's.
  case notSTUN
  /// The message, or an attribute in it, is longer than what is there.
  case truncated
  /// A comprehension-required attribute's value does not have the form that its type demands.
  case malformedAttribute(UInt16)
  /// FINGERPRINT does not match the message: it is damaged, or not STUN at all.
  case fingerprintMismatch
  /// Attributes stand after FINGERPRINT (RFC 8489 section 14.7 makes it the last).
  case fingerprintNotLast
}
