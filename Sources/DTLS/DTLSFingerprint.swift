import Digest
import WireFormat

/// A hash of a certificate, as SDP signals it: `sha-256 AB:CD:…` (RFC 8122 section 5).
package struct DTLSFingerprint: Hashable, Sendable, CustomStringConvertible {
  package let hash: HashFunction
  package let bytes: [UInt8]

  /// nil when the count of bytes is not the hash's.
  package init?(hash: HashFunction, bytes: [UInt8]) {
    guard bytes.count == hash.digestLength else { return nil }
    self.hash = hash
    self.bytes = bytes
  }

  /// Reads the attribute's value. Upper and lower case are one (older peers write lower-case digits).
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, let hash = Self.hash(named: parts[0].lowercased()) else { return nil }
    let digits = Array(parts[1].utf8)
    guard digits.count == hash.digestLength * 3 - 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(hash.digestLength)
    for start in stride(from: 0, to: digits.count, by: 3) {
      guard let high = Self.value(of: digits[start]), let low = Self.value(of: digits[start + 1]) else {
        return nil
      }
      if start + 2 < digits.count, digits[start + 2] != UInt8(ascii: ":") { return nil }
      bytes.append(high << 4 | low)
    }
    self.hash = hash
    self.bytes = bytes
  }

  package var description: String {
    let digits = bytes.map { byte in
      String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }
    return Self.name(of: hash) + " " + digits.joined(separator: ":")
  }

  /// Whether the hash may vouch for a certificate: MD5 and SHA-1 may not any more (RFC 8122 section 5).
  package var isTrustworthy: Bool {
    switch hash {
    case .md5, .sha1: false
    case .sha256, .sha384, .sha512: true
    }
  }

  /// Whether `certificate` (DER) has this fingerprint.
  func matches(_ certificate: [UInt8]) -> Bool {
    guard isTrustworthy, let digest = hash.digest(certificate) else { return false }
    return ConstantTime.isEqual(digest, bytes)
  }

  private static func name(of hash: HashFunction) -> String {
    switch hash {
    case .md5: "md5"
    case .sha1: "sha-1"
    case .sha256: "sha-256"
    case .sha384: "sha-384"
    case .sha512: "sha-512"
    }
  }

  private static func hash(named name: String) -> HashFunction? {
    HashFunction.allCases.first { Self.name(of: $0) == name }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
