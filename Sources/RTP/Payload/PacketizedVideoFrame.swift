import WireFormat

/// The payloads that a frame is cut into.
package struct PacketizedVideoFrame: Sendable {
  enum Descriptor: Sendable {
    case vp8(VP8PayloadDescriptor)
    case vp9(VP9PayloadDescriptor)
  }

  private let descriptor: Descriptor
  private let byteCount: Int
  /// Bytes of the frame in each payload but the last; the first holds `firstDeficit` fewer.
  private let share: Int
  private let firstDeficit: Int
  /// How many packets the frame takes; 0 for an empty frame.
  package let count: Int

  init(descriptor: Descriptor, byteCount: Int, maximumPayloadSize: Int) {
    self.descriptor = descriptor
    self.byteCount = max(0, byteCount)
    let first = PacketizedVideoFrame.size(of: descriptor, isFirst: true)
    let following = PacketizedVideoFrame.size(of: descriptor, isFirst: false)
    firstDeficit = first - following
    let room = maximumPayloadSize - following
    // Equal sizes rather than full packets and a rest: a loss then costs the same wherever it hits, and
    // receivers that probe for size see one.
    let total = self.byteCount + firstDeficit
    count = self.byteCount == 0 ? 0 : (total + room - 1) / room
    share = count == 0 ? 0 : (total + count - 1) / count
  }

  /// The marker belongs on the last packet.
  package func isLast(_ index: Int) -> Bool { index == count - 1 }

  /// The frame's bytes that payload `index` carries.
  package func range(_ index: Int) -> Range<Int> {
    guard index >= 0, index < count else { return 0..<0 }
    let lower = index == 0 ? 0 : min(byteCount, index * share - firstDeficit)
    let upper = min(byteCount, (index + 1) * share - firstDeficit)
    return lower..<max(lower, upper)
  }

  /// Bytes of payload `index`, descriptor included.
  package func payloadSize(_ index: Int) -> Int {
    PacketizedVideoFrame.size(of: descriptor, isFirst: index == 0) + range(index).count
  }

  /// Appends payload `index` of `frame` to a packet that holds its RTP header.
  package func writePayload(_ index: Int, of frame: RawSpan, into packet: PacketBuffer) throws(RTPError) {
    do {
      switch descriptor {
      case .vp8(var descriptor):
        descriptor.startsPartition = index == 0
        try descriptor.write(into: packet)
      case .vp9(var descriptor):
        descriptor.beginsFrame = index == 0
        descriptor.endsFrame = isLast(index)
        if index > 0 { descriptor.scalability = nil }
        try descriptor.write(into: packet)
      }
      try packet.append(frame.clamped(range(index)))
    } catch {
      throw .full
    }
  }

  private static func size(of descriptor: Descriptor, isFirst: Bool) -> Int {
    switch descriptor {
    case .vp8(let descriptor): return descriptor.encodedSize
    case .vp9(var descriptor):
      if !isFirst { descriptor.scalability = nil }
      return descriptor.encodedSize
    }
  }
}
