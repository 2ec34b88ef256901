import COpenSSL

/// The hash functions that STUN, SCTP cookies and DTLS fingerprints need, over OpenSSL.
package enum HashFunction: String, Sendable, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha384 = "SHA384"
  case sha512 = "SHA512"

  /// How many bytes a digest has.
  package var digestLength: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The digest of `bytes`; nil only where OpenSSL refuses the algorithm (MD5 in FIPS mode).
  package func digest(_ bytes: RawSpan) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: digestLength)
    var length = output.count
    let succeeded = unsafe bytes.withUnsafeBytes { input in
      unsafe EVP_Q_digest(nil, rawValue, nil, input.baseAddress, input.count, &output, &length)
    }
    return succeeded == 1 && length == digestLength ? output : nil
  }

  package func digest(_ bytes: [UInt8]) -> [UInt8]? { digest(bytes.rawSpan) }
}
