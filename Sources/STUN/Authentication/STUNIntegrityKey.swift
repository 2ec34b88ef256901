import Digest
import WireFormat

/// A key for integrity attributes, with its HMAC contexts set up once. Belongs to one thread.
package final class STUNIntegrityKey {
  private let bytes: [UInt8]
  private lazy var sha1 = HMAC(.sha1, key: bytes)
  private lazy var sha256 = HMAC(.sha256, key: bytes)

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// ICE's kind: the password itself (RFC 8489 section 9.1.1). ICE passwords are ASCII, which the OpaqueString
  /// profile leaves as it is.
  package convenience init(password: String) {
    self.init(bytes: Array(password.utf8))
  }

  /// TURN's kind: a hash over username, realm and password (RFC 8489 section 9.2.2).
  /// nil where the hash is not to be had (MD5 in FIPS mode).
  package convenience init?(
    username: String, realm: String, password: String, algorithm: STUNPasswordAlgorithm = .md5
  ) {
    let function: HashFunction = algorithm.number == STUNPasswordAlgorithm.sha256.number ? .sha256 : .md5
    guard let key = function.digest(Array("\(username):\(realm):\(password)".utf8)) else { return nil }
    self.init(bytes: key)
  }

  /// The code over `message`, whose length field already counts the integrity attribute.
  func code(over message: [UInt8], algorithm: STUNIntegrityAlgorithm) -> [UInt8] {
    let hmac = algorithm == .sha1 ? sha1 : sha256
    // Zeros where OpenSSL fails: the peer refuses such a message, which is all that can be done.
    return hmac?.authenticationCode(message.rawSpan)
      ?? [UInt8](repeating: 0, count: algorithm.codeLength)
  }

  /// Whether the code at `position` of `message` is ours.
  func verify(_ message: RawSpan, at position: STUNIntegrityPosition) -> Bool {
    guard let hmac = position.algorithm == .sha1 ? sha1 : sha256 else { return false }
    var covered = ByteWriter(capacity: position.offset)
    covered.write(message.clamped(0..<position.offset))
    let length = position.offset - STUNHeader.length + 4 + position.length
    covered.set(UInt16(truncatingIfNeeded: length), at: 2)
    guard let expected = hmac.authenticationCode(covered.bytes.rawSpan) else { return false }
    let start = position.offset + 4
    let given = message.clamped(start..<(start + position.length))
    return given.byteCount == position.length
      && ConstantTime.isEqual(given, expected.rawSpan.clamped(0..<position.length))
  }
}
