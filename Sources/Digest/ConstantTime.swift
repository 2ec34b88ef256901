import COpenSSL

/// Comparison of secrets without a hint in the time that it takes.
package enum ConstantTime {
  package static func isEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    return unsafe left.withUnsafeBytes { first in
      unsafe right.withUnsafeBytes { second in
        guard let a = first.baseAddress, let b = second.baseAddress else { return true }
        return unsafe CRYPTO_memcmp(a, b, first.count) == 0
      }
    }
  }

  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    isEqual(left.rawSpan, right.rawSpan)
  }
}
