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

  package init(limit: Int = 1024, bufferCapacity: Int = PacketBuffer.defaultCapacity) {
    self.limit = max(0, limit)
    self.bufferCapacity = bufferCapacity
    free.reserveCapacity(self.limit)
  }

  /// An empty buffer with `headroom` free bytes in front.
  package func take(headroom: Int = PacketBuffer.defaultHeadroom) -> PacketBuffer {
    if let buffer = free.popLast() {
      buffer.reset(headroom: headroom)
      return buffer
    }
    allocations &+= 1
    return PacketBuffer(capacity: bufferCapacity, headroom: headroom)
  }

  /// Takes a buffer back. One that is referenced elsewhere, of another size, or over the limit is let go.
  package func give(_ buffer: consuming PacketBuffer) {
    guard free.count < limit, buffer.capacity == bufferCapacity else { return }
    guard isKnownUniquelyReferenced(&buffer) else { return }
    free.append(buffer)
  }

  /// How many buffers wait for reuse.
  package var available: Int { free.count }
}
