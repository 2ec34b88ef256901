/// Keeps packet buffers for reuse, so that a packet costs no allocation in steady state.
///
/// Belongs to one thread; no locks. A buffer that somebody still holds is never handed out again.
package final class PacketPool {
  /// The most buffers kept; further ones given back are freed.
  package let limit: Int
  package let bufferCapacity: Int
  private var free: [PacketBuffer] = []

  /// How many buffers had to be allocated, for benchmarks and tests.
  package private(set) var allocations = 0
  /// How often a buffer was given back that had been already: two owners, which is a mistake of the program.
  package private(set) var doubleGives = 0

  package init(limit: Int = 1024, bufferCapacity: Int = PacketBuffer.defaultCapacity) {
    self.limit = max(0, limit)
    self.bufferCapacity = bufferCapacity
    free.reserveCapacity(self.limit)
  }

  /// An empty buffer with `headroom` free bytes in front: the one given back last that nobody holds any more.
  package func take(headroom: Int = PacketBuffer.defaultHeadroom) -> PacketBuffer {
    let last = free.count &- 1
    var index = last
    while index >= 0, index > last &- PacketPool.longestSearch {
      if isKnownUniquelyReferenced(&free[index]) {
        free.swapAt(index, last)
        let buffer = free.removeLast()
        buffer.isInPool = false
        buffer.reset(headroom: headroom)
        return buffer
      }
      index &-= 1
    }
    allocations &+= 1
    return PacketBuffer(capacity: bufferCapacity, headroom: headroom)
  }

  /// Takes a buffer back. One of another size or over the limit is let go.
  ///
  /// Whether somebody still holds it is looked at when it is taken again, not here: the caller's own
  /// variable often lives on for a few instructions, and when it ends is the optimiser's decision.
  package func give(_ buffer: consuming PacketBuffer) {
    guard !buffer.isInPool else {
      doubleGives &+= 1
      return
    }
    guard free.count < limit, buffer.capacity == bufferCapacity else { return }
    buffer.isInPool = true
    free.append(buffer)
  }

  // Buffers just given back whose givers have not returned yet are skipped; more than a few there never are.
  private static let longestSearch = 8

  /// How many buffers were given back and not taken again, those included that somebody still holds.
  package var available: Int { free.count }
}
