import WireFormat

/// One direction of order in one stream: its ordered or its unordered messages.
///
/// Fragments that follow what is there are appended in place, so that a message that arrives in order is
/// copied once, into the array that is delivered. Only what comes out of order is kept apart.
struct FragmentAssembler {
  /// A fragment contradicts those before it.
  struct Violation: Error {}

  var partials: [PartialMessage] = []
  /// Sorted by message (I-DATA) and position.
  var strays: [StrayFragment] = []
  /// The size of the last message: room to reserve for the next.
  private var lastSize = 0

  /// What remembering a stray fragment or a partial message costs beside its bytes, so that many tiny ones
  /// cannot outgrow the receive buffer.
  static let overhead = 64

  /// A whole message, when this fragment completes one.
  struct Completed {
    var message: UInt32
    var payloadProtocol: UInt32
    var bytes: [UInt8]
    var isDiscarded: Bool
  }

  /// Takes a fragment of several; `held` follows the bytes kept.
  mutating func take(
    _ fragment: InboundFragment, _ payload: RawSpan, interleaved: Bool, limit: Int, held: inout Int
  ) throws(Violation) -> Completed? {
    let index: Int
    if fragment.isBeginning {
      if interleaved, partials.contains(where: { $0.message == fragment.message }) { throw Violation() }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(max(payload.byteCount, min(lastSize, 262_144)))
      bytes.append(bytes: payload)
      partials.append(
        PartialMessage(
          message: fragment.message, firstTSN: fragment.tsn, payloadProtocol: fragment.payloadProtocol,
          nextPosition: fragment.position &+ 1, bytes: bytes))
      held += payload.byteCount + Self.overhead
      index = partials.count - 1
    } else if let found = partials.lastIndex(where: {
      $0.nextPosition == fragment.position && (!interleaved || $0.message == fragment.message)
    }) {
      // Without interleaving the TSN alone says what belongs together; numbers that differ are an error.
      guard partials[found].message == fragment.message else { throw Violation() }
      append(payload, to: found, limit: limit, held: &held)
      index = found
    } else {
      try keep(fragment, payload, interleaved: interleaved, held: &held)
      return nil
    }
    if fragment.isEnd { return complete(index, held: &held) }
    return try absorbStrays(into: index, interleaved: interleaved, limit: limit, held: &held)
  }

  private mutating func append(_ payload: RawSpan, to index: Int, limit: Int, held: inout Int) {
    partials[index].nextPosition &+= 1
    guard !partials[index].isDiscarded else { return }
    guard partials[index].bytes.count + payload.byteCount <= limit else {
      held -= partials[index].bytes.count
      partials[index].bytes = []
      partials[index].isDiscarded = true
      return
    }
    partials[index].bytes.append(bytes: payload)
    held += payload.byteCount
  }

  private mutating func complete(_ index: Int, held: inout Int) -> Completed {
    let partial = partials.remove(at: index)
    held -= partial.bytes.count + Self.overhead
    lastSize = partial.bytes.count
    return Completed(
      message: partial.message, payloadProtocol: partial.payloadProtocol, bytes: partial.bytes,
      isDiscarded: partial.isDiscarded)
  }

  /// Where a stray with this key stands, or would.
  private func place(_ message: UInt32, _ position: UInt32, interleaved: Bool) -> Int {
    var low = 0
    var high = strays.count
    while low < high {
      let middle = (low + high) / 2
      let other = strays[middle].fragment
      let isBefore =
        interleaved && other.message != message
        ? message.isNewer(than: other.message) : position.isNewer(than: other.position)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func keep(
    _ fragment: InboundFragment, _ payload: RawSpan, interleaved: Bool, held: inout Int
  ) throws(Violation) {
    let at = place(fragment.message, fragment.position, interleaved: interleaved)
    if at < strays.count, strays[at].fragment.position == fragment.position,
      !interleaved || strays[at].fragment.message == fragment.message
    {
      throw Violation()
    }
    strays.insert(StrayFragment(fragment: fragment, bytes: payload.copyBytes()), at: at)
    held += payload.byteCount + Self.overhead
  }

  /// Appends the strays that follow a partial message.
  private mutating func absorbStrays(
    into index: Int, interleaved: Bool, limit: Int, held: inout Int
  ) throws(Violation) -> Completed? {
    guard !strays.isEmpty else { return nil }
    let start = place(partials[index].message, partials[index].nextPosition, interleaved: interleaved)
    var end = start
    var isComplete = false
    while end < strays.count, !isComplete, strays[end].fragment.position == partials[index].nextPosition,
      !interleaved || strays[end].fragment.message == partials[index].message
    {
      guard strays[end].fragment.message == partials[index].message else { throw Violation() }
      held -= strays[end].bytes.count + Self.overhead
      let bytes = strays[end].bytes
      append(bytes.rawSpan, to: index, limit: limit, held: &held)
      isComplete = strays[end].fragment.isEnd
      end += 1
    }
    strays.removeSubrange(start..<end)
    return isComplete ? complete(index, held: &held) : nil
  }

  /// Forgets what `isSkipped` says was given up by the sender.
  mutating func discard(held: inout Int, where isSkipped: (_ message: UInt32, _ firstTSN: UInt32) -> Bool) {
    partials.removeAll { partial in
      guard isSkipped(partial.message, partial.firstTSN) else { return false }
      held -= partial.bytes.count + Self.overhead
      return true
    }
    strays.removeAll { stray in
      guard isSkipped(stray.fragment.message, stray.fragment.tsn) else { return false }
      held -= stray.bytes.count + Self.overhead
      return true
    }
  }
}

/// What one stream has received and not delivered.
struct InboundStream {
  var ordered = FragmentAssembler()
  var unordered = FragmentAssembler()
  /// The stream sequence number (16 bits) or message identifier that is delivered next.
  var nextOrdered: UInt32 = 0
  /// Whole ordered messages that came early, sorted by number.
  var waiting: [WaitingMessage] = []

  /// Starts the numbers anew (RFC 6525 section 5.2.2); nothing can be left over when that happens.
  mutating func reset() {
    nextOrdered = 0
  }
}
