import WireFormat

/// Decides which stream's bytes go into the next chunk: weighted fair queueing over the streams that have
/// something (RFC 8260 section 3.6), per fragment with I-DATA and per message without, as plain DATA demands.
///
/// A stream that had nothing to send starts level with the one served last, so its small message goes next.
struct StreamScheduler {
  /// What `next` found.
  enum Choice {
    case nothing
    /// The head of the line does not fit in this packet, and would in an empty one.
    case needsNewPacket
    case fragment(OutgoingFragment)
    /// A message ran out of time after some of it was sent; its chunks are to be abandoned.
    case expired(OutgoingMessage)
  }

  private var streams: [OutgoingStream] = []
  /// Streams with a queue that is not empty.
  private var active: [UInt16] = []
  /// How far the stream served last had come: where a stream that wakes up joins.
  private var virtualTime: UInt64 = 0
  /// Without interleaving: the stream whose message is being cut, which must be finished first.
  private var pinned: UInt16?
  private(set) var queuedBytes = 0
  /// Streams whose queue fell to the low-water mark since the last look.
  var lowWaterCrossings: [UInt16] = []
  /// Messages dropped before any of them was sent.
  private(set) var expiredUnsent: UInt64 = 0
  var isInterleaved = false
  /// Whether the other side can be told to skip a message (RFC 3758); else all are reliable.
  var dropsExpired = false

  init() {}

  var isEmpty: Bool { active.isEmpty }

  /// A stream's state, made when first asked for. The caller has checked `stream` against the limit.
  subscript(stream: UInt16) -> OutgoingStream {
    _read {
      yield Int(stream) < streams.count ? streams[Int(stream)] : OutgoingStream()
    }
    _modify {
      while streams.count <= Int(stream) { streams.append(OutgoingStream()) }
      yield &streams[Int(stream)]
    }
  }

  func bufferedAmount(of stream: UInt16) -> Int {
    Int(stream) < streams.count ? streams[Int(stream)].queuedBytes : 0
  }

  func isIdle(_ stream: UInt16) -> Bool {
    Int(stream) >= streams.count || streams[Int(stream)].queue.isEmpty
  }

  mutating func append(_ message: OutgoingMessage) {
    let stream = message.stream
    if self[stream].queue.isEmpty {
      self[stream].served = max(self[stream].served, virtualTime)
      active.append(stream)
    }
    self[stream].queue.append(message)
    queuedBytes += message.bytes.count
    if !message.isControl { self[stream].queuedBytes += message.bytes.count }
  }

  /// The next fragment.
  ///
  /// - Parameters:
  ///   - room: payload bytes that this packet still takes.
  ///   - whole: payload bytes that an empty packet takes.
  mutating func next(room: Int, whole: Int, at now: Instant) -> Choice {
    while let stream = pinned ?? leastServed() {
      guard let message = streams[Int(stream)].queue.first else {
        pinned = nil
        retire(stream)
        continue
      }
      if message.isAbandoned || dropsExpired && message.hasExpired(at: now) {
        let hadBegun = message.hasBegun && !message.isAbandoned
        dropHead(of: stream)
        if hadBegun { return .expired(message) }
        continue
      }
      guard let size = fragmentSize(of: message, room: room, whole: whole) else { return .needsNewPacket }
      return .fragment(cut(size, from: message, of: stream))
    }
    return .nothing
  }

  private func fragmentSize(of message: OutgoingMessage, room: Int, whole: Int) -> Int? {
    let remaining = message.remaining
    if remaining <= room { return remaining }
    // What fits in one packet is not cut; what must be cut fills a packet's rest only where that is worth
    // the header.
    guard room > 0, remaining > whole, room >= whole || room >= 256 else { return nil }
    return room & ~3
  }

  private mutating func cut(_ size: Int, from message: OutgoingMessage, of stream: UInt16) -> OutgoingFragment
  {
    let index = Int(stream)
    if !message.hasBegun { streams[index].number(message, interleaved: isInterleaved) }
    var flags: UInt8 = message.isUnordered ? DataFlags.unordered : 0
    if !message.hasBegun { flags |= DataFlags.beginning }
    let offset = message.sentBytes
    message.sentBytes += size
    if message.isWhollySent { flags |= DataFlags.end }
    let fragment = OutgoingFragment(
      message: message, offset: offset, length: size, flags: flags, fragmentNumber: message.nextFragment)
    message.nextFragment &+= 1
    virtualTime = max(virtualTime, streams[index].served)
    streams[index].served &+= UInt64(size + 32) &* 1024 / max(1, streams[index].weight)
    release(size, of: message)
    if message.isWhollySent {
      _ = streams[index].queue.popFirst()
      pinned = nil
      if streams[index].queue.isEmpty { retire(stream) }
    } else if !isInterleaved {
      pinned = stream
    }
    return fragment
  }

  /// Takes the rest of a message that was given up out of the queue.
  mutating func discardRest(of message: OutgoingMessage) {
    let stream = message.stream
    guard !isIdle(stream), streams[Int(stream)].queue.first === message else { return }
    dropHead(of: stream)
  }

  private mutating func dropHead(of stream: UInt16) {
    guard let message = streams[Int(stream)].queue.popFirst() else { return }
    if !message.hasBegun { expiredUnsent += 1 }
    release(message.remaining, of: message)
    if pinned == stream { pinned = nil }
    if streams[Int(stream)].queue.isEmpty { retire(stream) }
  }

  private mutating func release(_ bytes: Int, of message: OutgoingMessage) {
    queuedBytes -= bytes
    guard !message.isControl else { return }
    let stream = message.stream
    let index = Int(stream)
    let before = streams[index].queuedBytes
    streams[index].queuedBytes = before - bytes
    if before > streams[index].lowWaterMark, before - bytes <= streams[index].lowWaterMark {
      lowWaterCrossings.append(stream)
    }
  }

  private func leastServed() -> UInt16? {
    guard active.count > 1 else { return active.first }
    return active.min { streams[Int($0)].served < streams[Int($1)].served }
  }

  private mutating func retire(_ stream: UInt16) {
    active.removeAll { $0 == stream }
  }

  mutating func removeAll() {
    self = StreamScheduler()
  }
}

/// A slice of a message that becomes one chunk.
struct OutgoingFragment {
  let message: OutgoingMessage
  let offset: Int
  let length: Int
  let flags: UInt8
  let fragmentNumber: UInt32
}
