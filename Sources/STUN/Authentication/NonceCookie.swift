/// The security features that a server announces at the head of its nonce (RFC 8489 section 9.2): the text
/// `obMatJos2` and 24 bits in base64.
package struct NonceCookie: Hashable, Sendable {
  /// The 24 bits, the first (bit 0) highest.
  package let features: UInt32

  /// nil for a nonce without the cookie.
  package init?(nonce: [UInt8]) {
    let prefix = Array("obMatJos2".utf8)
    guard nonce.count >= prefix.count + 4, nonce.starts(with: prefix) else { return nil }
    var bits: UInt32 = 0
    for character in nonce[prefix.count..<(prefix.count + 4)] {
      guard let value = NonceCookie.base64(character) else { return nil }
      bits = bits &<< 6 | value
    }
    features = bits
  }

  /// Bit 0: the server lists PASSWORD-ALGORITHMS.
  package var offersPasswordAlgorithms: Bool { features & 0x80_0000 != 0 }

  /// Bit 1: the client may send USERHASH in place of USERNAME.
  package var offersUsernameAnonymity: Bool { features & 0x40_0000 != 0 }

  private static func base64(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character &- UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character &- UInt8(ascii: "a")) &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character &- UInt8(ascii: "0")) &+ 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
