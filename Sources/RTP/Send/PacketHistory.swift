import WireFormat

/// The packets sent last, to be sent again when the peer has missed them.
///
/// A ring by sequence number. It forgets by count (the ring's size), time and bytes; each slot keeps its
/// buffer for the next packet, so that storing allocates nothing once the ring has been round.
package struct PacketHistory {
  package struct Limits: Hashable, Sendable {
    /// Rounded up to a power of two, 16 384 at most.
    package var packets: Int
    package var bytes: Int
    package var time: Interval
    /// How often one packet is sent again at most.
    package var resends: Int

    package init(
      packets: Int = 1024, bytes: Int = 2 << 20, time: Interval = .seconds(2), resends: Int = 8
    ) {
      self.packets = packets
      self.bytes = bytes
      self.time = time
      self.resends = resends
    }
  }

  private struct Slot {
    var buffer: PacketBuffer?
    var sequence: UInt16 = 0
    var isFilled = false
    var sentAt = Instant.origin
    var lastResentAt: Instant?
    var resends = 0
    var transportSequenceOffset: Int?
    var absoluteSendTimeOffset: Int?
    var headerSize = 0
  }

  /// A packet to be sent again.
  package struct Stored {
    /// Belongs to the history: to be copied at once.
    package let buffer: PacketBuffer
    package let transportSequenceOffset: Int?
    package let absoluteSendTimeOffset: Int?
    package let headerSize: Int
    /// How often it was sent again before.
    package let resends: Int
  }

  package let limits: Limits
  private var slots: [Slot]
  private var newest: UInt16?
  private var oldest: UInt16 = 0
  package private(set) var bytes = 0

  package init(limits: Limits = Limits()) {
    self.limits = limits
    var count = 16
    while count < min(limits.packets, 16_384) { count *= 2 }
    slots = Array(repeating: Slot(), count: count)
  }

  /// Keeps a copy of a packet that leaves now.
  package mutating func store(_ packet: OutgoingPacket, at now: Instant) {
    let index = Int(packet.sequenceNumber) & (slots.count - 1)
    forget(index)
    let buffer = slots[index].buffer ?? PacketBuffer()
    guard (try? buffer.assign(packet.buffer.bytes)) != nil else { return }
    slots[index] = Slot(
      buffer: buffer, sequence: packet.sequenceNumber, isFilled: true, sentAt: now,
      transportSequenceOffset: packet.transportSequenceOffset,
      absoluteSendTimeOffset: packet.absoluteSendTimeOffset, headerSize: packet.headerSize)
    bytes += buffer.count
    if newest == nil { oldest = packet.sequenceNumber }
    newest = packet.sequenceNumber
    trim(at: now)
  }

  /// Looks a packet up for sending it again, and notes that this happens.
  ///
  /// Nil when it is forgotten, was sent again within nine tenths of the last `roundTripTime` (that copy may still
  /// arrive; the tenth is for requests that the network brings a little early), or too often.
  package mutating func takeForResend(
    _ sequence: UInt16, roundTripTime: Interval, at now: Instant
  ) -> Stored? {
    let index = Int(sequence) & (slots.count - 1)
    let slot = slots[index]
    guard slot.isFilled, slot.sequence == sequence, now - slot.sentAt <= limits.time,
      slot.resends < limits.resends, let buffer = slot.buffer
    else { return nil }
    if let last = slot.lastResentAt, now - last < max(roundTripTime * 0.9, .milliseconds(5)) { return nil }
    slots[index].lastResentAt = now
    slots[index].resends += 1
    return stored(slot, buffer)
  }

  /// The packet sent last, to fill a probe with.
  package func newestPacket(at now: Instant) -> Stored? {
    guard let newest else { return nil }
    let slot = slots[Int(newest) & (slots.count - 1)]
    guard slot.isFilled, slot.sequence == newest, now - slot.sentAt <= limits.time, let buffer = slot.buffer
    else { return nil }
    return stored(slot, buffer)
  }

  package mutating func removeAll() {
    for index in slots.indices { forget(index) }
    newest = nil
  }

  private func stored(_ slot: Slot, _ buffer: PacketBuffer) -> Stored {
    Stored(
      buffer: buffer, transportSequenceOffset: slot.transportSequenceOffset,
      absoluteSendTimeOffset: slot.absoluteSendTimeOffset, headerSize: slot.headerSize,
      resends: slot.resends)
  }

  private mutating func forget(_ index: Int) {
    guard slots[index].isFilled else { return }
    slots[index].isFilled = false
    bytes -= slots[index].buffer?.count ?? 0
  }

  private mutating func trim(at now: Instant) {
    guard let newest else { return }
    if newest.distance(from: oldest) >= slots.count { oldest = newest &- UInt16(slots.count - 1) }
    while oldest != newest {
      let slot = slots[Int(oldest) & (slots.count - 1)]
      let isCurrent = slot.isFilled && slot.sequence == oldest
      guard !isCurrent || bytes > limits.bytes || now - slot.sentAt > limits.time else { return }
      if isCurrent { forget(Int(oldest) & (slots.count - 1)) }
      oldest &+= 1
    }
  }
}
