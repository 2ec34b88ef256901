/// A first-in, first-out queue in one block of memory that is reused: no allocation once it has grown to the
/// size that its owner needs. It grows by doubling; the owner bounds it.
package struct RingQueue<Element> {
  private var slots: [Element?]
  private var head = 0
  package private(set) var count = 0

  package init(minimumCapacity: Int = 16) {
    var capacity = 4
    while capacity < min(minimumCapacity, 1 << 20) { capacity &*= 2 }
    slots = Array(repeating: nil, count: capacity)
  }

  package var isEmpty: Bool { count == 0 }

  package var first: Element? {
    count == 0 ? nil : slots[head]
  }

  package var last: Element? {
    count == 0 ? nil : slots[(head &+ count &- 1) & (slots.count &- 1)]
  }

  /// The element `offset` places behind the first; nil outside of the queue.
  package subscript(offset: Int) -> Element? {
    guard offset >= 0, offset < count else { return nil }
    return slots[(head &+ offset) & (slots.count &- 1)]
  }

  package mutating func append(_ element: consuming Element) {
    if count == slots.count { grow() }
    slots[(head &+ count) & (slots.count &- 1)] = consume element
    count &+= 1
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = (head &+ 1) & (slots.count &- 1)
    count &-= 1
    return element
  }

  package mutating func removeAll() {
    while popFirst() != nil {}
  }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(slots.count &* 2)
    for offset in 0..<count { larger.append(slots[(head &+ offset) & (slots.count &- 1)]) }
    larger.append(contentsOf: repeatElement(nil, count: slots.count &* 2 &- count))
    slots = larger
    head = 0
  }
}

extension RingQueue: Sendable where Element: Sendable {}
