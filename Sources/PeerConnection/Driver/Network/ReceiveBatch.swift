import CSockets
import WireFormat

/// Memory for one recvmmsg call, reused for every socket of a loop. Belongs to the loop's thread.
package final class ReceiveBatch {
  private let batch: OpaquePointer
  private let capacity: Int

  /// nil when memory is short.
  package init?(capacity: Int32) {
    guard let batch = reactor_receive_batch_create(capacity) else { return nil }
    self.batch = batch
    self.capacity = Int(capacity)
  }

  deinit {
    reactor_receive_batch_destroy(batch)
  }

  /// Reads what waits on `descriptor` and hands each datagram to `body`, in a buffer from `pool` that is then the
  /// body's to give back. Runs that
  /// the kernel glued together (UDP_GRO) are taken apart. `body` also gets the time at which the kernel took the
  /// datagram in, which a thread that is late does not change. A datagram longer than a buffer is dropped: no
  /// peer of ours may send one.
  ///
  /// - Returns: whether all the room was used, so that more may wait.
  package func receive(
    from descriptor: Int32, pool: PacketPool, _ body: (consuming PacketBuffer, SocketAddress, Instant) -> Void
  ) throws(SocketError) -> Bool {
    let count = try SocketError.check(reactor_receive(batch, descriptor), "recvmmsg")
    for index in 0..<count {
      let received = reactor_received_at(batch, index)
      guard let bytes = received.bytes else { continue }
      let source = SocketAddress(received.source)
      let receivedAt = Instant(nanoseconds: received.received_at)
      let total = Int(received.length)
      let step = received.segment_size > 0 ? Int(received.segment_size) : max(1, total)
      var offset = 0
      while offset < total {
        let length = min(step, total - offset)
        let buffer = pool.take()
        let fits = length <= buffer.tailroom
        if fits {
          buffer.withUnsafeMutableBytes { (room, _) -> Int in
            room.copyMemory(from: UnsafeRawBufferPointer(start: bytes + offset, count: length))
            return length
          }
          body(buffer, source, receivedAt)
        } else {
          pool.give(buffer)
        }
        offset += length
      }
    }
    return count == capacity
  }
}
