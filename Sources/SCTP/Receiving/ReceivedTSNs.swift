import WireFormat

/// Which TSNs came: all up to `cumulative`, and some above, in a bit ring.
struct ReceivedTSNs {
  enum Verdict {
    case new
    case duplicate
    /// Too far ahead to be remembered: dropped, the other side will send it again.
    case outOfWindow
  }

  /// TSNs remembered above the cumulative one.
  static let window = RetransmissionQueue.limit
  /// Duplicates reported by one SACK; more are only counted.
  static let maximumDuplicates = 16

  private(set) var cumulative: UInt32
  /// The highest TSN received; the cumulative one when nothing lies above.
  private(set) var highest: UInt32
  private var bits = [UInt64](repeating: 0, count: ReceivedTSNs.window / 64)
  private(set) var duplicates: [UInt32] = []

  init(initialTSN: UInt32) {
    cumulative = initialTSN &- 1
    highest = initialTSN &- 1
    duplicates.reserveCapacity(Self.maximumDuplicates)
  }

  var hasGaps: Bool { highest != cumulative }

  /// What `insert` would say, without remembering the TSN.
  func verdict(on tsn: UInt32) -> Verdict {
    let distance = tsn &- cumulative
    if distance == 0 || distance >= 0x8000_0000 { return .duplicate }
    guard distance < UInt32(Self.window) else { return .outOfWindow }
    return contains(tsn) ? .duplicate : .new
  }

  /// Remembers a TSN on which the verdict was `new`.
  mutating func insert(_ tsn: UInt32) {
    if tsn == cumulative &+ 1 {
      cumulative = tsn
      if highest == tsn &- 1 {
        highest = tsn
      } else {
        advance()
      }
    } else {
      set(tsn, true)
      if tsn.isNewer(than: highest) { highest = tsn }
    }
  }

  mutating func noteDuplicate(_ tsn: UInt32) {
    if duplicates.count < Self.maximumDuplicates { duplicates.append(tsn) }
  }

  mutating func clearDuplicates() {
    duplicates.removeAll(keepingCapacity: true)
  }

  /// FORWARD-TSN: counts everything up to `tsn` as received. False when that is nothing new or absurdly far.
  mutating func skip(to tsn: UInt32) -> Bool {
    let distance = tsn &- cumulative
    guard distance > 0, distance < UInt32(Self.window) else { return false }
    while cumulative != tsn {
      cumulative &+= 1
      set(cumulative, false)
    }
    if cumulative.isNewer(than: highest) { highest = cumulative }
    advance()
    return true
  }

  private mutating func advance() {
    while cumulative != highest, contains(cumulative &+ 1) {
      cumulative &+= 1
      set(cumulative, false)
    }
  }

  private func contains(_ tsn: UInt32) -> Bool {
    let position = Int(tsn) & (Self.window &- 1)
    return bits[position / 64] &>> UInt64(position & 63) & 1 == 1
  }

  private mutating func set(_ tsn: UInt32, _ value: Bool) {
    let position = Int(tsn) & (Self.window &- 1)
    let bit: UInt64 = 1 &<< UInt64(position & 63)
    if value { bits[position / 64] |= bit } else { bits[position / 64] &= ~bit }
  }

  /// The runs above the cumulative TSN as offsets from it, lowest first.
  func gapBlocks(limit: Int, into blocks: inout [GapBlock]) {
    blocks.removeAll(keepingCapacity: true)
    let end = highest &- cumulative
    var offset: UInt32 = 1
    while offset <= end, blocks.count < limit {
      if offset & 63 == 1, end &- offset >= 64, isWordEmpty(at: cumulative &+ offset) {
        offset &+= 64
        continue
      }
      guard contains(cumulative &+ offset) else {
        offset &+= 1
        continue
      }
      let start = offset
      while offset < end, contains(cumulative &+ offset &+ 1) { offset &+= 1 }
      blocks.append(
        GapBlock(start: UInt16(truncatingIfNeeded: start), end: UInt16(truncatingIfNeeded: offset)))
      offset &+= 1
    }
  }

  private func isWordEmpty(at tsn: UInt32) -> Bool {
    let position = Int(tsn) & (Self.window &- 1)
    return position & 63 == 0 && bits[position / 64] == 0
  }
}

/// A run of received TSNs above the cumulative one (RFC 9260 section 3.3.4).
struct GapBlock: Hashable {
  var start: UInt16
  var end: UInt16
}
