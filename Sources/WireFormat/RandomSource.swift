/// Where a machine's random numbers come from: the system (cryptographic), or a seed in tests.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private enum Source: Sendable {
    case system
    case seeded(UInt64)
  }

  private var source: Source

  /// The system's generator: for everything that an attacker must not guess.
  package static let system = RandomSource(source: .system)

  /// A repeatable sequence (SplitMix64). For tests and simulations only.
  package init(seed: UInt64) {
    source = .seeded(seed)
  }

  private init(source: Source) {
    self.source = source
  }

  package mutating func next() -> UInt64 {
    switch source {
    case .system:
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    case .seeded(let state):
      let advanced = state &+ 0x9E37_79B9_7F4A_7C15
      source = .seeded(advanced)
      var mixed = advanced
      mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed &>> 31)
    }
  }

  /// A source for another part: the system's again, or a seeded one that does not depend on how much this
  /// one is used from now on.
  package mutating func split() -> RandomSource {
    switch source {
    case .system: .system
    case .seeded: RandomSource(seed: next())
    }
  }

  package mutating func uint16() -> UInt16 { UInt16(truncatingIfNeeded: next()) }
  package mutating func uint32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(max(0, count))
    while result.count < count {
      var word = next()
      for _ in 0..<min(8, count - result.count) {
        result.append(UInt8(truncatingIfNeeded: word))
        word &>>= 8
      }
    }
    return result
  }

  /// A number from 0 up to, not including, 1.
  package mutating func unit() -> Double {
    Double(next() &>> 11) * 0x1p-53
  }

  /// Characters that ICE credentials may be made of (RFC 8839 section 5.4: `ice-char`), 6 bits each.
  package mutating func iceString(_ count: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return String(decoding: bytes(count).map { alphabet[Int($0 & 0x3F)] }, as: UTF8.self)
  }
}
