/// The hash of a certificate, from `a=fingerprint` (RFC 8122 section 5).
package struct Fingerprint: Hashable, Sendable {
  /// In lower case, such as `sha-256`.
  package var algorithm: String
  package var bytes: [UInt8]

  package init(algorithm: String, bytes: [UInt8]) {
    self.algorithm = algorithm.asciiLowercased
    self.bytes = bytes
  }

  /// Whether the algorithm is one that a certificate may be judged by: SHA-2 with 256 bits or more.
  package var isStrong: Bool { ["sha-256", "sha-384", "sha-512"].contains(algorithm) }

  /// Pairs of hexadecimal digits, colons between them; the count must be the algorithm's.
  init?(parsing value: Substring) {
    let fields = value.tokens
    guard fields.count == 2 else { return nil }
    let pairs = fields[1].utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard pairs.count <= 64 else { return nil }
    var bytes: [UInt8] = []
    for pair in pairs {
      guard pair.count == 2, !pair.contains(UInt8(ascii: "+")), !pair.contains(UInt8(ascii: "-")),
        let byte = UInt8(Substring(pair), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    self.init(algorithm: String(fields[0]), bytes: bytes)
    if let length = Fingerprint.length(of: algorithm), length != bytes.count { return nil }
  }

  private static func length(of algorithm: String) -> Int? {
    switch algorithm {
    case "sha-1": 20
    case "sha-224": 28
    case "sha-256": 32
    case "sha-384": 48
    case "sha-512": 64
    default: nil
    }
  }

  var value: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text = Array(algorithm.utf8)
    for (index, byte) in bytes.enumerated() {
      text.append(index == 0 ? UInt8(ascii: " ") : UInt8(ascii: ":"))
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
