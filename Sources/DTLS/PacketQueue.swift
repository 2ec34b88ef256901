import WireFormat

/// A first-in-first-out queue of buffers with a fixed limit. Adding and taking allocate nothing.
struct PacketQueue {
  private var slots: [PacketBuffer?]
  private var head = 0
  private(set) var count = 0

  init(limit: Int) {
    slots = Array(repeating: nil, count: max(1, limit))
  }

  var isFull: Bool { count == slots.count }

  /// Returns false, and takes nothing, when the queue is full.
  mutating func append(_ buffer: PacketBuffer) -> Bool {
    guard !isFull else { return false }
    slots[(head + count) % slots.count] = buffer
    count += 1
    return true
  }

  mutating func popFirst() -> PacketBuffer? {
    guard count > 0 else { return nil }
    let buffer = slots[head]
    slots[head] = nil
    head = (head + 1) % slots.count
    count -= 1
    return buffer
  }
}
