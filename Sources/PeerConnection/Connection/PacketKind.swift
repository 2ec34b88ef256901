import WireFormat

/// What a datagram on a bundled transport holds, told by its first bytes (RFC 7983, RFC 5761 section 4).
enum PacketKind: Hashable {
  case stun
  case turnChannel
  case dtls
  case rtp
  case rtcp
  case unknown

  init(_ packet: RawSpan) {
    guard let first = packet.byte(at: 0) else {
      self = .unknown
      return
    }
    switch first {
    case 0...3: self = .stun
    case 20...63: self = .dtls
    case 64...79: self = .turnChannel
    case 128...191:
      // Payload types 64 to 95 with the marker bit are RTCP's 192 to 223: nobody may negotiate them.
      guard let second = packet.byte(at: 1) else {
        self = .unknown
        return
      }
      self = (192...223).contains(second) ? .rtcp : .rtp
    default: self = .unknown
    }
  }
}
