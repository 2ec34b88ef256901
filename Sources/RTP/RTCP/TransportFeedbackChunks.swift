import WireFormat

/// Packet status chunks of transport-wide feedback: run lengths, and vectors of one-bit or two-bit symbols
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1.2 to 3.1.4).
enum TransportFeedbackChunks {
  private typealias Status = TransportFeedback.Status

  private static let longestRun = 0x1FFF
  private static let oneBitSymbols = 14
  private static let twoBitSymbols = 7

  /// Reads symbols for `count` packets. A received packet's delta is left as the count of bytes (1 or 2)
  /// that its delta takes, since the deltas follow all chunks.
  static func read(_ reader: inout ByteReader, count: Int) throws(RTPError) -> [TransportFeedback.Status] {
    var statuses: [Status] = []
    while statuses.count < count {
      guard let chunk = try? reader.uint16() else { throw .truncated }
      let missing = count &- statuses.count
      if chunk & 0x8000 == 0 {
        let run = min(Int(chunk & 0x1FFF), missing)
        // An empty run would let a short packet spin; nobody sends one.
        guard run > 0 else { throw .malformed }
        statuses.append(contentsOf: repeatElement(status(chunk &>> 13), count: run))
      } else if chunk & 0x4000 == 0 {
        for index in 0..<min(oneBitSymbols, missing) {
          statuses.append(status(chunk &>> UInt16(truncatingIfNeeded: 13 &- index) & 1))
        }
      } else {
        for index in 0..<min(twoBitSymbols, missing) {
          statuses.append(status(chunk &>> UInt16(truncatingIfNeeded: 12 &- 2 &* index) & 3))
        }
      }
    }
    return statuses
  }

  static func write(_ statuses: ArraySlice<TransportFeedback.Status>, into writer: inout ByteWriter) {
    var position = statuses.startIndex
    while position < statuses.endIndex {
      let rest = statuses[position...]
      let first = symbol(statuses[position])
      var run = 0
      for status in rest.prefix(longestRun) {
        guard symbol(status) == first else { break }
        run += 1
      }
      let hasLargeSymbol = rest.prefix(oneBitSymbols).contains { symbol($0) > 1 }
      let vectorSize = hasLargeSymbol ? twoBitSymbols : oneBitSymbols
      if run >= min(vectorSize, rest.count) {
        writer.write(first &<< 13 | UInt16(truncatingIfNeeded: run))
        position += run
        continue
      }
      var chunk: UInt16 = hasLargeSymbol ? 0xC000 : 0x8000
      for (index, status) in rest.prefix(vectorSize).enumerated() {
        let shift = hasLargeSymbol ? 12 - 2 * index : 13 - index
        chunk |= symbol(status) &<< UInt16(truncatingIfNeeded: shift)
      }
      writer.write(chunk)
      position = min(statuses.endIndex, position + vectorSize)
    }
  }

  private static func status(_ symbol: UInt16) -> TransportFeedback.Status {
    switch symbol & 3 {
    case 0: .notReceived
    case 1: .received(delta: 1)
    case 2: .received(delta: 2)
    default: .receivedWithoutTime
    }
  }

  private static func symbol(_ status: TransportFeedback.Status) -> UInt16 {
    switch status {
    case .notReceived: 0
    case .received(let delta): delta >= 0 && delta <= 255 ? 1 : 2
    case .receivedWithoutTime: 3
    }
  }
}
