import WireFormat

/// Makes messages of fragments, stream by stream, and gives them out in the order that each stream demands.
struct ReassemblyQueue {
  /// The other side contradicted itself; the association is to be aborted.
  struct Violation: Error {
    let detail: String
  }

  private var streams: [InboundStream] = []
  private let maximumMessageSize: Int
  /// Bytes kept in partial, stray and waiting messages, with the overhead of each.
  private(set) var heldBytes = 0
  /// Whole messages in order of delivery.
  private var completed = FIFO<InboundMessage>()
  private var completedBytes = 0
  /// Streams on which a message outgrew the largest one allowed.
  var oversized: [UInt16] = []
  var isInterleaved = false

  init(maximumMessageSize: Int) {
    self.maximumMessageSize = maximumMessageSize
  }

  /// What the receive window has to be reduced by.
  var usedBytes: Int { heldBytes + completedBytes }
  var hasMessages: Bool { !completed.isEmpty }

  mutating func nextMessage() -> InboundMessage? {
    guard let message = completed.popFirst() else { return nil }
    completedBytes -= message.bytes.count
    return message
  }

  /// Whether this fragment could be used at once, so that a full buffer is no reason to refuse it.
  func continues(_ fragment: InboundFragment) -> Bool {
    guard Int(fragment.stream) < streams.count else { return false }
    let assembler =
      fragment.isUnordered ? streams[Int(fragment.stream)].unordered : streams[Int(fragment.stream)].ordered
    return assembler.partials.contains {
      $0.nextPosition == fragment.position && $0.message == fragment.message
    }
  }

  /// Takes a fragment whose TSN is new and whose stream was checked against the limit.
  mutating func accept(_ fragment: InboundFragment, _ payload: RawSpan) throws(Violation) {
    let index = Int(fragment.stream)
    while streams.count <= index { streams.append(InboundStream()) }
    if fragment.isBeginning, fragment.isEnd {
      return deliver(
        FragmentAssembler.Completed(
          message: fragment.message, payloadProtocol: fragment.payloadProtocol,
          bytes: payload.byteCount <= maximumMessageSize ? payload.copyBytes() : [],
          isDiscarded: payload.byteCount > maximumMessageSize),
        of: fragment)
    }
    do {
      let whole =
        fragment.isUnordered
        ? try streams[index].unordered.take(
          fragment, payload, interleaved: isInterleaved, limit: maximumMessageSize, held: &heldBytes)
        : try streams[index].ordered.take(
          fragment, payload, interleaved: isInterleaved, limit: maximumMessageSize, held: &heldBytes)
      if let whole { deliver(whole, of: fragment) }
    } catch {
      throw Violation(detail: "fragments of stream \(fragment.stream) contradict each other")
    }
  }

  private mutating func deliver(_ whole: FragmentAssembler.Completed, of fragment: InboundFragment) {
    if whole.isDiscarded { oversized.append(fragment.stream) }
    let message = InboundMessage(
      stream: fragment.stream, payloadProtocol: whole.payloadProtocol, bytes: whole.bytes)
    let index = Int(fragment.stream)
    if fragment.isUnordered {
      if !whole.isDiscarded { complete(message) }
      return
    }
    if whole.message == streams[index].nextOrdered {
      streams[index].nextOrdered = successor(whole.message)
      if !whole.isDiscarded { complete(message) }
      if !streams[index].waiting.isEmpty { releaseWaiting(of: index) }
      return
    }
    // One from the past was delivered or skipped; with a new TSN it is nothing that could be used.
    guard isAfter(whole.message, streams[index].nextOrdered), !whole.isDiscarded else { return }
    var at = streams[index].waiting.count
    while at > 0, isAfter(streams[index].waiting[at - 1].message, whole.message) { at -= 1 }
    streams[index].waiting.insert(
      WaitingMessage(message: whole.message, tsn: fragment.tsn, inbound: message), at: at)
    heldBytes += message.bytes.count + FragmentAssembler.overhead
  }

  private mutating func complete(_ message: InboundMessage) {
    completedBytes += message.bytes.count
    completed.append(message)
  }

  private mutating func releaseWaiting(of index: Int) {
    var count = 0
    for early in streams[index].waiting {
      guard early.message == streams[index].nextOrdered else { break }
      streams[index].nextOrdered = successor(early.message)
      heldBytes -= early.inbound.bytes.count + FragmentAssembler.overhead
      complete(early.inbound)
      count += 1
    }
    streams[index].waiting.removeFirst(count)
  }

  private func successor(_ message: UInt32) -> UInt32 {
    isInterleaved ? message &+ 1 : (message &+ 1) & 0xFFFF
  }

  private func isAfter(_ message: UInt32, _ other: UInt32) -> Bool {
    isInterleaved
      ? message.isNewer(than: other)
      : UInt16(truncatingIfNeeded: message).isNewer(than: UInt16(truncatingIfNeeded: other))
  }

  // MARK: Skipping and reset

  /// FORWARD-TSN moved the cumulative TSN to `tsn`: fragments up to it belong to abandoned messages.
  mutating func skip(toTSN tsn: UInt32) {
    for index in streams.indices {
      streams[index].ordered.discard(held: &heldBytes) { _, first in !first.isNewer(than: tsn) }
      streams[index].unordered.discard(held: &heldBytes) { _, first in !first.isNewer(than: tsn) }
    }
  }

  /// The ordered messages of `stream` up to `message` are skipped; whole ones among them are delivered.
  mutating func skipOrdered(stream: UInt16, upTo message: UInt32) {
    let index = Int(stream)
    while streams.count <= index { streams.append(InboundStream()) }
    if isInterleaved {
      streams[index].ordered.discard(held: &heldBytes) { other, _ in !other.isNewer(than: message) }
    }
    guard message == streams[index].nextOrdered || isAfter(message, streams[index].nextOrdered) else {
      return
    }
    while let early = streams[index].waiting.first, !isAfter(early.message, message) {
      streams[index].waiting.removeFirst()
      heldBytes -= early.inbound.bytes.count + FragmentAssembler.overhead
      complete(early.inbound)
    }
    streams[index].nextOrdered = successor(message)
    releaseWaiting(of: index)
  }

  /// I-FORWARD-TSN for unordered messages.
  mutating func skipUnordered(stream: UInt16, upTo message: UInt32) {
    guard Int(stream) < streams.count else { return }
    streams[Int(stream)].unordered.discard(held: &heldBytes) { other, _ in !other.isNewer(than: message) }
  }

  /// The other side starts the numbers of these streams anew; none named means all of them.
  mutating func reset(_ reset: [UInt16]) {
    if reset.isEmpty {
      for index in streams.indices { streams[index].reset() }
      return
    }
    for stream in reset where Int(stream) < streams.count { streams[Int(stream)].reset() }
  }

  /// The streams that carried anything.
  var knownStreams: [UInt16] { streams.indices.map { UInt16(truncatingIfNeeded: $0) } }
}
