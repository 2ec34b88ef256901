/// AES encryption of single blocks (FIPS 197), as plain as possible: the yardstick of the vector tests.
struct ReferenceAES {
  private let roundKeys: [[UInt8]]

  init(key: [UInt8]) {
    let words = key.count / 4
    let rounds = words + 6
    var schedule = stride(from: 0, to: key.count, by: 4).map { Array(key[$0..<$0 + 4]) }
    var constant: UInt8 = 1
    for index in words..<4 * (rounds + 1) {
      var word = schedule[index - 1]
      if index % words == 0 {
        word = [word[1], word[2], word[3], word[0]].map { Self.substitution[Int($0)] }
        word[0] ^= constant
        constant = Self.double(constant)
      } else if words > 6, index % words == 4 {
        word = word.map { Self.substitution[Int($0)] }
      }
      schedule.append(zip(word, schedule[index - words]).map { $0 ^ $1 })
    }
    roundKeys = stride(from: 0, to: schedule.count, by: 4).map { Array(schedule[$0..<$0 + 4].joined()) }
  }

  func encrypt(_ block: [UInt8]) -> [UInt8] {
    var state = zip(block, roundKeys[0]).map { $0 ^ $1 }
    for round in 1..<roundKeys.count {
      state = state.map { Self.substitution[Int($0)] }
      state = (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
      if round < roundKeys.count - 1 { state = Self.mixColumns(state) }
      state = zip(state, roundKeys[round]).map { $0 ^ $1 }
    }
    return state
  }

  private static func mixColumns(_ state: [UInt8]) -> [UInt8] {
    (0..<16).map { index in
      let column = index / 4 * 4
      func at(_ row: Int) -> UInt8 { state[column + (index + row) % 4] }
      return double(at(0)) ^ double(at(1)) ^ at(1) ^ at(2) ^ at(3)
    }
  }

  private static func double(_ value: UInt8) -> UInt8 {
    value << 1 ^ (value & 0x80 == 0 ? 0 : 0x1B)
  }

  // The inverse in GF(2^8), found by walking the powers of 3 both ways, and an affine map.
  private static let substitution: [UInt8] = {
    var table = [UInt8](repeating: 0x63, count: 256)
    var power: UInt8 = 1
    var inverse: UInt8 = 1
    repeat {
      power ^= double(power)
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      func rotated(_ count: UInt8) -> UInt8 { inverse << count | inverse >> (8 - count) }
      table[Int(power)] = inverse ^ rotated(1) ^ rotated(2) ^ rotated(3) ^ rotated(4) ^ 0x63
    } while power != 1
    return table
  }()
}
