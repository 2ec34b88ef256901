import WireFormat

/// Walks the elements of a packet's extension block in its one-byte or two-byte form (RFC 8285 section 4).
///
/// A malformed element ends the walk: those before it count, the packet is not refused for it.
package struct HeaderExtensionElements: ~Escapable {
  package struct Element: Hashable, Sendable {
    package let id: UInt8
    /// The element's data, as offsets into the packet.
    package let range: Range<Int>
  }

  private enum Form {
    case oneByte
    case twoByte
    case unknown
  }

  private let packet: RawSpan
  private let form: Form
  private let end: Int
  private var position: Int

  @_lifetime(copy packet)
  package init(of header: RTPHeader, in packet: RawSpan) {
    self.packet = packet
    position = header.extensionRange.lowerBound
    end = min(header.extensionRange.upperBound, packet.byteCount)
    switch header.extensionProfile {
    case 0xBEDE: form = .oneByte
    case .some(let profile) where profile & 0xFFF0 == 0x1000: form = .twoByte
    default: form = .unknown
    }
  }

  package mutating func next() -> Element? {
    switch form {
    case .oneByte: nextOneByte()
    case .twoByte: nextTwoByte()
    case .unknown: nil
    }
  }

  private mutating func nextOneByte() -> Element? {
    while position < end, let byte = packet.byte(at: position) {
      position &+= 1
      if byte == 0 { continue }
      let id = byte &>> 4
      // Section 4.2: 15 ends the block. 0 with a length is no element either; what follows is guesswork.
      guard id != 0, id != 15 else { break }
      return take(id: id, count: Int(byte & 0x0F) &+ 1)
    }
    position = end
    return nil
  }

  private mutating func nextTwoByte() -> Element? {
    while position < end, let id = packet.byte(at: position) {
      position &+= 1
      if id == 0 { continue }
      guard position < end, let count = packet.byte(at: position) else { break }
      position &+= 1
      return take(id: id, count: Int(count))
    }
    position = end
    return nil
  }

  private mutating func take(id: UInt8, count: Int) -> Element? {
    guard count <= end &- position else {
      position = end
      return nil
    }
    let element = Element(id: id, range: position..<(position &+ count))
    position &+= count
    return element
  }
}
