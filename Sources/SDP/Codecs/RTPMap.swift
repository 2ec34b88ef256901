/// One `a=rtpmap` line (RFC 8866 section 6.6): what a payload type stands for.
package struct RTPMap: Hashable, Sendable {
  package var payloadType: UInt8
  package var name: String
  package var clockRate: UInt32
  /// Audio channels; 1 when not written.
  package var channels: UInt8

  package init(payloadType: UInt8, name: String, clockRate: UInt32, channels: UInt8 = 1) {
    self.payloadType = payloadType
    self.name = name
    self.clockRate = clockRate
    self.channels = channels
  }

  init?(parsing value: Substring) {
    let tokens = value.tokens
    guard tokens.count >= 2, let payloadType = RTPMap.payloadType(tokens[0]) else { return nil }
    let parts = tokens[1].parts(separatedBy: UInt8(ascii: "/"))
    guard parts.count >= 2, let clockRate = UInt32(decimal: parts[1]), clockRate > 0 else { return nil }
    let channels = parts.count > 2 ? UInt8(decimal: parts[2]) : 1
    guard let channels, channels > 0 else { return nil }
    self.init(payloadType: payloadType, name: String(parts[0]), clockRate: clockRate, channels: channels)
  }

  var value: String {
    let base = "\(payloadType) \(name)/\(clockRate)"
    return channels > 1 ? "\(base)/\(channels)" : base
  }

  static func payloadType(_ text: Substring) -> UInt8? {
    guard let number = UInt8(decimal: text), number <= 127 else { return nil }
    return number
  }

  /// What RFC 3551 assigns without an `a=rtpmap` line; only those that WebRTC peers offer.
  static func assigned(_ payloadType: UInt8) -> RTPMap? {
    switch payloadType {
    case 0: RTPMap(payloadType: 0, name: "PCMU", clockRate: 8000)
    case 8: RTPMap(payloadType: 8, name: "PCMA", clockRate: 8000)
    case 9: RTPMap(payloadType: 9, name: "G722", clockRate: 8000)
    case 13: RTPMap(payloadType: 13, name: "CN", clockRate: 8000)
    default: nil
    }
  }
}
