/// How SRTP encrypts and authenticates, as negotiated by DTLS `use_srtp`. The raw value is IANA's number.
package enum SRTPProfile: UInt16, Sendable, CaseIterable {
  /// RFC 5764: AES-128 in counter mode, HMAC-SHA1 cut to 80 bits. Every peer has it.
  case aes128CMSHA1With80BitTag = 0x0001
  /// RFC 7714.
  case aeadAES128GCM = 0x0007
  /// RFC 7714.
  case aeadAES256GCM = 0x0008

  /// What we offer and choose, best first. AES-128-GCM costs a fifth of the counter mode with HMAC-SHA1 and
  /// a little less than AES-256-GCM (figures in docs/dtls.md); the security of the handshake (P-256, X25519)
  /// is 128 bits, so the longer key buys nothing.
  package static let preferenceOrder: [SRTPProfile] = [
    .aeadAES128GCM, .aeadAES256GCM, .aes128CMSHA1With80BitTag,
  ]

  /// Bytes of the master key.
  package var keyLength: Int {
    switch self {
    case .aes128CMSHA1With80BitTag, .aeadAES128GCM: 16
    case .aeadAES256GCM: 32
    }
  }

  /// Bytes of the master salt.
  package var saltLength: Int {
    switch self {
    case .aes128CMSHA1With80BitTag: 14
    case .aeadAES128GCM, .aeadAES256GCM: 12
    }
  }

  /// Bytes that protection adds to an RTP packet.
  package var rtpOverhead: Int {
    switch self {
    case .aes128CMSHA1With80BitTag: 10
    case .aeadAES128GCM, .aeadAES256GCM: 16
    }
  }

  /// Bytes that protection adds to an RTCP packet: the tag and the 4-byte index.
  package var rtcpOverhead: Int { rtpOverhead + 4 }

  /// Bytes that the DTLS exporter gives: two keys and two salts.
  package var exportedLength: Int { 2 * (keyLength + saltLength) }
}
