import WireFormat

/// Remembers when each transport-wide sequence number was sent, until feedback tells what became of it.
///
/// Bounded by count: a packet that more than ``capacity`` others have followed is forgotten, and feedback on
/// it is ignored.
package struct SentPacketLog {
  private struct Entry {
    var sequence: Int64
    var sentAt: Instant
    var size: Int
    var probeCluster: Int?
    var isReportedLost = false
  }

  /// Packets remembered at most. The table begins small and doubles when it would forget a packet otherwise.
  package let capacity: Int
  private var entries: [Entry?]
  private var nextSequence: Int64
  /// Bytes sent that no feedback has told of yet.
  package private(set) var bytesInFlight = 0

  /// - Parameter capacity: rounded up to a power of two, 32 768 at most, so that numbers stay unambiguous.
  package init(firstSequence: UInt16 = 0, capacity: Int = 8192) {
    var size = 16
    while size < min(capacity, 32_768) { size *= 2 }
    self.capacity = size
    entries = Array(repeating: nil, count: min(size, 256))
    nextSequence = Int64(firstSequence)
  }

  /// Notes a packet that leaves now and returns its number.
  package mutating func add(size: Int, probeCluster: Int?, at now: Instant) -> UInt16 {
    let sequence = nextSequence
    nextSequence += 1
    if entries.count < capacity, entries[place(of: sequence)] != nil { grow() }
    let index = place(of: sequence)
    if let forgotten = entries[index], !forgotten.isReportedLost { bytesInFlight -= forgotten.size }
    entries[index] = Entry(sequence: sequence, sentAt: now, size: size, probeCluster: probeCluster)
    bytesInFlight += size
    return UInt16(truncatingIfNeeded: sequence)
  }

  /// What feedback on `number` means; nil when the packet is unknown, forgotten, or told of before.
  package mutating func take(_ number: UInt16, receivedAt: Instant?) -> PacketFeedback? {
    let behind = (nextSequence - 1) - Int64(UInt16(truncatingIfNeeded: nextSequence &- 1) &- number)
    guard behind >= 0 else { return nil }
    let index = place(of: behind)
    guard var entry = entries[index], entry.sequence == behind else { return nil }
    if receivedAt == nil, entry.isReportedLost { return nil }
    if !entry.isReportedLost { bytesInFlight -= entry.size }
    let feedback = PacketFeedback(
      transportSequence: entry.sequence, sentAt: entry.sentAt, size: entry.size, receivedAt: receivedAt,
      probeCluster: entry.probeCluster, correctsLoss: entry.isReportedLost)
    if receivedAt == nil {
      entry.isReportedLost = true
      entries[index] = entry
    } else {
      entries[index] = nil
    }
    return feedback
  }

  private func place(of sequence: Int64) -> Int { Int(sequence) & (entries.count - 1) }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: nil, count: old.count * 2)
    for case let entry? in old { entries[place(of: entry.sequence)] = entry }
  }
}
