/// What a message asks for: Binding (RFC 8489), or one of TURN's methods (RFC 8656 section 17).
package struct STUNMethod: RawRepresentable, Hashable, Sendable {
  /// 12 bits.
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue & 0xFFF
  }

  package static let binding = STUNMethod(rawValue: 0x001)
  package static let allocate = STUNMethod(rawValue: 0x003)
  package static let refresh = STUNMethod(rawValue: 0x004)
  package static let send = STUNMethod(rawValue: 0x006)
  package static let data = STUNMethod(rawValue: 0x007)
  package static let createPermission = STUNMethod(rawValue: 0x008)
  package static let channelBind = STUNMethod(rawValue: 0x009)
}
