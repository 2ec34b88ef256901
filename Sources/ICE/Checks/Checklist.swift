import WireFormat

/// The pairs of one generation, and which is checked next (RFC 8445 section 6.1.2 and 6.1.4.2).
///
/// One component and one stream. Frozen pairs are not held back until a pair of their foundation is done:
/// they only come after all waiting ones, because peers hand out foundations carelessly and the wait would
/// cost connect time.
struct Checklist {
  private struct Key: Hashable {
    let base: Int
    let remote: SocketAddress
  }

  private(set) var pairs: [CandidatePair] = []
  private var byKey: [Key: CandidatePair] = [:]
  private var triggered: [CandidatePair] = []

  func pair(base: CandidateBase, remote: SocketAddress) -> CandidatePair? {
    byKey[Key(base: base.number, remote: remote)]
  }

  func pair(_ id: ICEPairID) -> CandidatePair? {
    pairs.first { $0.id == id }
  }

  /// Adds a pair. When the list is full, the pair of lowest priority that carries nothing goes.
  ///
  /// - Returns: false when the new pair is the one that had to go.
  mutating func add(_ pair: CandidatePair, limit: Int) -> Bool {
    let key = Key(base: pair.base.number, remote: pair.remoteAddress)
    guard byKey[key] == nil else { return false }
    if pairs.count >= limit {
      let droppable = pairs.filter { !$0.isValid }
      guard let lowest = droppable.min(by: { $0.priority < $1.priority }), lowest.priority < pair.priority
      else { return false }
      remove(lowest)
    }
    pairs.append(pair)
    byKey[key] = pair
    let hasMate = pairs.contains { $0 !== pair && $0.isActive && $0.foundation == pair.foundation }
    pair.state = hasMate ? .frozen : .waiting
    return true
  }

  mutating func remove(_ pair: CandidatePair) {
    pairs.removeAll { $0 === pair }
    triggered.removeAll { $0 === pair }
    byKey[Key(base: pair.base.number, remote: pair.remoteAddress)] = nil
  }

  mutating func removePairs(of base: CandidateBase) -> [CandidatePair] {
    let gone = pairs.filter { $0.base === base }
    for pair in gone { remove(pair) }
    return gone
  }

  /// A peer's check came in: its pair goes first (RFC 8445 section 7.3.1.4).
  mutating func trigger(_ pair: CandidatePair) {
    if pair.state != .succeeded { pair.state = .waiting }
    guard !triggered.contains(where: { $0 === pair }) else { return }
    triggered.append(pair)
  }

  mutating func popTriggered() -> CandidatePair? {
    triggered.isEmpty ? nil : triggered.removeFirst()
  }

  /// The next pair for an ordinary check.
  var nextOrdinary: CandidatePair? {
    func best(_ state: CandidatePair.State) -> CandidatePair? {
      var result: CandidatePair?
      for pair in pairs where pair.state == state && pair.base.isOpen {
        if let current = result, current.priority >= pair.priority { continue }
        result = pair
      }
      return result
    }
    return best(.waiting) ?? best(.frozen)
  }

  /// A success lets pairs of its foundation go ahead (RFC 8445 section 7.2.5.3.3).
  func unfreeze(foundation: String) {
    for pair in pairs where pair.state == .frozen && pair.foundation == foundation {
      pair.state = .waiting
    }
  }

  /// Pairs that wait or are being checked, for the retransmission timeout (RFC 8445 section 14.3).
  var outstanding: Int {
    pairs.count { $0.state == .waiting || $0.state == .inProgress }
  }

  var isDone: Bool { !pairs.contains { $0.isActive } }
}
