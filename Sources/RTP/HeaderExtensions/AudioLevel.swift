/// How loud a packet's audio is (RFC 6464).
package struct AudioLevel: Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// - Parameter level: dB below overload: 0 is the loudest, 127 is silence.
  package init(level: UInt8, isVoice: Bool) {
    rawValue = min(level, 127) | (isVoice ? 0x80 : 0)
  }

  package var level: UInt8 { rawValue & 0x7F }
  package var isVoice: Bool { rawValue & 0x80 != 0 }
}
