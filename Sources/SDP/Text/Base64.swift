/// Base64 with padding (RFC 4648 section 4), as `a=sctp-init` carries it.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var word: UInt32 = 0
      for place in 0..<3 { word = word << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
      for place in 0..<4 {
        let index = Int(word >> UInt32(18 - place * 6) & 0x3F)
        text.append(place <= count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Missing padding is forgiven; nil for a foreign character or a length that no encoder produces.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var digits = Array(text.utf8)
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var word: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits {
      guard let value = Base64.value(of: digit) else { return nil }
      word = word &<< 6 | value
      bits &+= 6
      if bits >= 8 {
        bits &-= 8
        bytes.append(UInt8(truncatingIfNeeded: word &>> bits))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit &- 0x41)
    case 0x61...0x7A: UInt32(digit &- 0x61 &+ 26)
    case 0x30...0x39: UInt32(digit &- 0x30 &+ 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
