import WireFormat

/// Puts packets together to frames, whatever the order in which they come.
///
/// Packets lie in a ring by sequence number, which grows up to `maximumCapacity` packets (bounded: a packet
/// that does not fit is refused, and the owner begins anew). The cost of an arrival is that of the packets
/// that it connects.
struct FrameAssembler {
  enum Insertion {
    case stored
    case duplicate
    /// Behind what was delivered or given up.
    case late
    /// The ring is full at its largest.
    case overflow
    /// Nothing but a descriptor: its number counts as received, its buffer is not kept.
    case empty
    /// It continues a frame that was delivered because of a marker bit that lied.
    case truncatedFrame
  }

  private struct Slot {
    var sequence = Int64.min
    /// nil for padding, which only keeps the sequence whole.
    var packet: PacketBuffer?
    var codec = VideoCodec.vp8
    var timestamp: UInt32 = 0
    var hasMarker = false
    var payload = VideoPayload.padding
    var colourSpace: VideoColourSpace?
    /// The bitstream's place in the packet.
    var range = 0..<0
    /// Everything from the frame's beginning to here is there.
    var isConnected = false
    /// It belongs to a frame that was found whole.
    var isFramed = false

    var isPadding: Bool { packet == nil }
  }

  private var slots: [Slot]
  private let maximumCapacity: Int
  private let pool: PacketPool
  /// Whole frames that wait for their references, by sequence.
  private(set) var frames: [AssembledFrame] = []
  /// Everything before it is done with; nil before the first packet.
  private(set) var floor: Int64?
  private var highest = Int64.min
  private var isMarkerTrusted = true
  private var deliveredTimestamp: UInt32?

  /// How far behind the very first packet others may still come.
  private static let initialReorder: Int64 = 64

  init(pool: PacketPool, maximumCapacity: Int) {
    self.pool = pool
    // Slots are found by masking, so the ring's size is a power of two.
    var capacity = 128
    while capacity < maximumCapacity { capacity *= 2 }
    self.maximumCapacity = capacity
    slots = Array(repeating: Slot(), count: 128)
  }

  /// Whether packets wait that did not become a delivered frame.
  var isWaiting: Bool {
    guard let floor else { return false }
    return highest >= floor
  }

  mutating func insert(
    _ sequence: Int64, packet: PacketBuffer, header: RTPHeader, codec: VideoCodec, payload: VideoPayload,
    colourSpace: VideoColourSpace? = nil, at now: Instant
  ) -> Insertion {
    let refusal = place(sequence)
    guard refusal == .stored else { return refusal }
    if sequence == floor, !payload.beginsFrame, header.timestamp == deliveredTimestamp {
      isMarkerTrusted = false
      deliveredTimestamp = nil
      return .truncatedFrame
    }
    let start = header.payloadRange.lowerBound + payload.bitstreamOffset
    slots[index(sequence)] = Slot(
      sequence: sequence, packet: packet, codec: codec, timestamp: header.timestamp,
      hasMarker: header.marker, payload: payload, colourSpace: colourSpace,
      range: start..<max(start, header.payloadRange.upperBound))
    connect(from: sequence, at: now)
    return .stored
  }

  mutating func insertPadding(_ sequence: Int64, at now: Instant) -> Insertion {
    let refusal = place(sequence)
    guard refusal == .stored else { return refusal }
    slots[index(sequence)] = Slot(sequence: sequence)
    skipPadding()
    connect(from: sequence, at: now)
    return .stored
  }

  /// Whether nothing is missing between the last delivered frame and this one.
  func follows(_ frame: AssembledFrame) -> Bool { frame.firstSequence == floor }

  /// Copies a frame's bytes together, gives its packets back, and is done with everything before it.
  mutating func take(_ frame: AssembledFrame) -> [UInt8] {
    var writer = ByteWriter(capacity: frame.byteCount)
    for sequence in frame.firstSequence...frame.lastSequence {
      let position = index(sequence)
      guard slots[position].sequence == sequence, let packet = slots[position].packet else { continue }
      writer.write(packet.bytes.clamped(slots[position].range))
    }
    discard(through: frame.lastSequence)
    deliveredTimestamp = frame.timestamp
    return writer.bytes
  }

  /// Gives up everything and begins at `sequence`.
  mutating func reset(floor newFloor: Int64?) {
    for position in slots.indices { release(position) }
    frames.removeAll(keepingCapacity: true)
    floor = newFloor
    highest = Int64.min
    deliveredTimestamp = nil
  }

  // MARK: - Ring

  private func index(_ sequence: Int64) -> Int {
    Int(truncatingIfNeeded: sequence) & (slots.count &- 1)
  }

  private mutating func place(_ sequence: Int64) -> Insertion {
    let floor = self.floor ?? sequence &- FrameAssembler.initialReorder
    self.floor = floor
    guard sequence >= floor else { return .late }
    while sequence &- floor >= Int64(slots.count) {
      guard slots.count < maximumCapacity else { return .overflow }
      grow()
    }
    guard slots[index(sequence)].sequence != sequence else { return .duplicate }
    highest = max(highest, sequence)
    return .stored
  }

  private mutating func grow() {
    var larger = Array(repeating: Slot(), count: slots.count * 2)
    for slot in slots where slot.sequence != Int64.min {
      larger[Int(truncatingIfNeeded: slot.sequence) & (larger.count &- 1)] = slot
    }
    slots = larger
  }

  private mutating func release(_ position: Int) {
    if let packet = slots[position].packet {
      slots[position].packet = nil
      pool.give(packet)
    }
    slots[position].sequence = Int64.min
  }

  private mutating func discard(through last: Int64) {
    let first = floor ?? last
    if last &- first >= Int64(slots.count) {
      for position in slots.indices where slots[position].sequence <= last { release(position) }
    } else if first <= last {
      for sequence in first...last where slots[index(sequence)].sequence == sequence {
        release(index(sequence))
      }
    }
    frames.removeAll { $0.lastSequence <= last }
    floor = max(first, last &+ 1)
    skipPadding()
  }

  private mutating func skipPadding() {
    while let floor, slots[index(floor)].sequence == floor, slots[index(floor)].isPadding {
      release(index(floor))
      self.floor = floor &+ 1
    }
  }

  // MARK: - Frames

  private func slot(_ sequence: Int64) -> Int? {
    let position = index(sequence)
    return slots[position].sequence == sequence ? position : nil
  }

  /// Follows the chain that the packet at `sequence` completes, as far as it reaches.
  private mutating func connect(from sequence: Int64, at now: Instant) {
    // The packet may show that the one before it was its frame's last.
    var last = sequence &- 1
    while let before = slot(last), slots[before].isPadding { last &-= 1 }
    if let before = slot(last), slots[before].isConnected, !slots[before].isFramed {
      findFrame(endingAt: last, at: now)
    }
    var current = sequence
    while let position = slot(current), !slots[position].isConnected {
      guard connects(position, current) else { return }
      slots[position].isConnected = true
      findFrame(endingAt: current, at: now)
      current &+= 1
    }
  }

  private func connects(_ position: Int, _ sequence: Int64) -> Bool {
    if !slots[position].isPadding, slots[position].payload.beginsFrame { return true }
    guard let before = slot(sequence &- 1), slots[before].isConnected, !slots[before].isFramed else {
      return false
    }
    return slots[position].isPadding || slots[before].isPadding
      || slots[position].timestamp == slots[before].timestamp
  }

  private mutating func findFrame(endingAt last: Int64, at now: Instant) {
    guard endsFrame(last) else { return }
    var first = last
    var byteCount = 0
    while let position = slot(first) {
      byteCount &+= slots[position].range.count
      if !slots[position].isPadding, slots[position].payload.beginsFrame { break }
      first &-= 1
    }
    guard let start = slot(first) else { return }
    var colourSpace: VideoColourSpace?
    for sequence in first...last {
      guard let position = slot(sequence) else { continue }
      slots[position].isFramed = true
      colourSpace = slots[position].colourSpace ?? colourSpace
    }
    let head = slots[start]
    let frame = AssembledFrame(
      firstSequence: first, lastSequence: last, codec: head.codec, timestamp: head.timestamp,
      isKeyframe: head.payload.isKeyframe, width: head.payload.width, height: head.payload.height,
      dependencies: head.payload.dependencies, byteCount: byteCount, colourSpace: colourSpace,
      completed: now)
    let place = frames.lastIndex { $0.firstSequence < first }.map { $0 + 1 } ?? 0
    frames.insert(frame, at: place)
  }

  /// The codec's own end bit counts most; else the packet behind, if it is there; else the marker.
  private mutating func endsFrame(_ sequence: Int64) -> Bool {
    guard let position = slot(sequence), !slots[position].isPadding else { return false }
    if let ends = slots[position].payload.endsFrame { return ends }
    var next = sequence &+ 1
    while let behind = slot(next), slots[behind].isPadding { next &+= 1 }
    if let behind = slot(next) {
      let continues =
        slots[behind].timestamp == slots[position].timestamp && !slots[behind].payload.beginsFrame
      if continues, slots[position].hasMarker { isMarkerTrusted = false }
      return !continues
    }
    return isMarkerTrusted && slots[position].hasMarker
  }
}
