import Digest
import SRTP

/// SRTP written from the RFCs, slow and independent of libsrtp.
struct ReferenceSRTP {
  let profile: SRTPProfile
  let key: [UInt8]
  let salt: [UInt8]

  // MARK: RFC 3711

  /// The counter mode's key stream, beginning with the counter block `start`.
  static func keyStream(key: [UInt8], start: [UInt8], count: Int) -> [UInt8] {
    let cipher = ReferenceAES(key: key)
    var counter = start
    var stream: [UInt8] = []
    while stream.count < count {
      stream += cipher.encrypt(counter)
      for index in stride(from: 15, through: 0, by: -1) {
        counter[index] &+= 1
        if counter[index] != 0 { break }
      }
    }
    return Array(stream.prefix(count))
  }

  /// A session key (section 4.3.1, with a key derivation rate of 0). AEAD salts are padded with zeros.
  static func derive(master: [UInt8], salt: [UInt8], label: UInt8, count: Int) -> [UInt8] {
    var start = salt + [UInt8](repeating: 0, count: 16 - salt.count)
    start[7] ^= label
    return keyStream(key: master, start: start, count: count)
  }

  func sessionKey(_ label: UInt8, _ count: Int) -> [UInt8] {
    Self.derive(master: key, salt: salt, label: label, count: count)
  }

  /// A protected RTP packet whose header ends at `headerLength`.
  func protectRTP(_ packet: [UInt8], headerLength: Int, rollover: UInt32) -> [UInt8] {
    let header = Array(packet[..<headerLength])
    let payload = Array(packet[headerLength...])
    let index = bigEndian(rollover) + packet[2..<4]
    let ssrc = Array(packet[8..<12])
    guard profile == .aes128CMSHA1With80BitTag else {
      let iv = xor([0, 0] + ssrc + index, sessionKey(2, 12))
      return header
        + Self.sealGCM(key: sessionKey(0, profile.keyLength), iv: iv, plain: payload, associated: header)
    }
    let start = xor([0, 0, 0, 0] + ssrc + index + [0, 0], sessionKey(2, 14) + [0, 0])
    let encrypted =
      header + xor(payload, Self.keyStream(key: sessionKey(0, 16), start: start, count: payload.count))
    return encrypted + tag(encrypted + bigEndian(rollover), label: 1)
  }

  /// A protected RTCP packet with its index.
  func protectRTCP(_ packet: [UInt8], index: UInt32) -> [UInt8] {
    let header = Array(packet[..<8])
    let payload = Array(packet[8...])
    let ssrc = Array(packet[4..<8])
    let trailer = bigEndian(0x8000_0000 | index)
    guard profile == .aes128CMSHA1With80BitTag else {
      let iv = xor([0, 0] + ssrc + [0, 0] + bigEndian(index), sessionKey(5, 12))
      return header
        + Self.sealGCM(
          key: sessionKey(3, profile.keyLength), iv: iv, plain: payload, associated: header + trailer)
        + trailer
    }
    let start = xor(
      [0, 0, 0, 0] + ssrc + [0, 0] + bigEndian(index) + [0, 0], sessionKey(5, 14) + [0, 0])
    let encrypted =
      header + xor(payload, Self.keyStream(key: sessionKey(3, 16), start: start, count: payload.count))
    return encrypted + trailer + tag(encrypted + trailer, label: 4)
  }

  private func tag(_ bytes: [UInt8], label: UInt8) -> [UInt8] {
    let code = HMAC(.sha1, key: sessionKey(label, 20))?.authenticationCode(bytes) ?? []
    return Array(code.prefix(10))
  }

  // MARK: AES-GCM (NIST SP 800-38D), for 12-byte initialisation vectors

  static func sealGCM(key: [UInt8], iv: [UInt8], plain: [UInt8], associated: [UInt8]) -> [UInt8] {
    let cipher = ReferenceAES(key: key)
    let hashKey = Element(cipher.encrypt([UInt8](repeating: 0, count: 16)))
    let encrypted = xor(plain, keyStream(key: key, start: iv + [0, 0, 0, 2], count: plain.count))
    let lengths = bigEndian64(UInt64(associated.count) * 8) + bigEndian64(UInt64(encrypted.count) * 8)
    var hash = Element([UInt8](repeating: 0, count: 16))
    for part in [padded(associated), padded(encrypted), lengths] {
      for start in stride(from: 0, to: part.count, by: 16) {
        hash = hash.adding(Element(Array(part[start..<start + 16]))).multiplied(by: hashKey)
      }
    }
    return encrypted + xor(hash.bytes, cipher.encrypt(iv + [0, 0, 0, 1]))
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
  }

  /// An element of GF(2^128) in GCM's bit order.
  private struct Element {
    var high: UInt64
    var low: UInt64

    init(_ bytes: [UInt8]) {
      high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
      low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    var bytes: [UInt8] { bigEndian64(high) + bigEndian64(low) }

    func adding(_ other: Element) -> Element {
      var result = self
      result.high ^= other.high
      result.low ^= other.low
      return result
    }

    func multiplied(by other: Element) -> Element {
      var product = Element([UInt8](repeating: 0, count: 16))
      var shifted = other
      for bit in 0..<128 {
        let word = bit < 64 ? high : low
        if word >> UInt64(63 - bit % 64) & 1 == 1 { product = product.adding(shifted) }
        let carry = shifted.low & 1
        shifted.low = shifted.low >> 1 | shifted.high << 63
        shifted.high >>= 1
        if carry == 1 { shifted.high ^= 0xE100_0000_0000_0000 }
      }
      return product
    }
  }
}

private func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }

private func bigEndian(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
}

private func bigEndian64(_ value: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
}
