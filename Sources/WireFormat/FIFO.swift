/// A queue in a ring that grows by doubling and keeps its memory: no allocation in steady state.
///
/// It has no limit of its own; whoever fills it states one.
@usableFromInline package struct FIFO<Element> {
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline var size = 0

  /// How many elements wait.
  @inlinable package var count: Int { size }

  @inlinable package init() {}

  /// A queue that holds `minimumCapacity` elements (1 048 576 at most) before it first grows.
  @inlinable package init(minimumCapacity: Int) {
    var capacity = 8
    while capacity < Swift.min(minimumCapacity, 1 << 20) { capacity &*= 2 }
    slots = Array(repeating: nil, count: capacity)
  }

  @inlinable package var isEmpty: Bool { size == 0 }

  /// The oldest element.
  @inlinable package var first: Element? { size == 0 ? nil : slots[head] }

  /// The youngest element.
  @inlinable package var last: Element? { self[size &- 1] }

  /// The element `offset` places behind the oldest; nil outside of the queue.
  @inlinable package subscript(offset: Int) -> Element? {
    guard offset >= 0, offset < size else { return nil }
    return slots[(head &+ offset) & (slots.count &- 1)]
  }

  @inlinable package mutating func append(_ element: Element) {
    if size == slots.count { grow() }
    slots[(head &+ size) & (slots.count &- 1)] = element
    size &+= 1
  }

  /// Takes the oldest element out; its slot lets go of it.
  @inlinable package mutating func popFirst() -> Element? {
    guard size > 0 else { return nil }
    let element = slots[head]
    slots[head] = nil
    head = (head &+ 1) & (slots.count &- 1)
    size &-= 1
    return element
  }

  @inlinable package mutating func removeAll() {
    while popFirst() != nil {}
  }

  // The ring's size stays a power of two, so that a mask does for a division.
  @usableFromInline mutating func grow() {
    let capacity = Swift.max(8, slots.count &* 2)
    var larger: [Element?] = []
    larger.reserveCapacity(capacity)
    for index in 0..<size { larger.append(slots[(head &+ index) & (slots.count &- 1)]) }
    while larger.count < capacity { larger.append(nil) }
    slots = larger
    head = 0
  }
}

extension FIFO: Sendable where Element: Sendable {}
