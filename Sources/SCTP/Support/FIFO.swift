/// A queue in a ring that grows by doubling and keeps its memory: no allocation in steady state.
struct FIFO<Element> {
  private var slots: [Element?] = []
  private var head = 0
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { count == 0 }

  var first: Element? { count == 0 ? nil : slots[head] }

  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head &+ count) & (slots.count &- 1)] = element
    count &+= 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head]
    slots[head] = nil
    head = (head &+ 1) & (slots.count &- 1)
    count &-= 1
    return element
  }

  mutating func removeAll() {
    while popFirst() != nil {}
  }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(8, slots.count * 2))
    for index in 0..<count { larger.append(slots[(head &+ index) & (slots.count &- 1)]) }
    while larger.count < max(8, slots.count * 2) { larger.append(nil) }
    slots = larger
    head = 0
  }
}
