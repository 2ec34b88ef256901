import WireFormat

/// Which number stands for which header extension in one direction of a session (RFC 8285 section 6).
package struct HeaderExtensionMap: Hashable, Sendable {
  private var kindByID: [HeaderExtensionKind?]
  private var idByKind: [UInt8]

  /// Whether the peer takes the two-byte form beside the one-byte one (`a=extmap-allow-mixed`). Without it
  /// an element that only the two-byte form can carry is left out.
  package var allowsTwoByteForm: Bool

  package init(allowsTwoByteForm: Bool = false) {
    kindByID = []
    idByKind = []
    self.allowsTwoByteForm = allowsTwoByteForm
  }

  /// From pairs of number and kind, as `a=extmap` lists them.
  package init(_ entries: [(id: UInt8, kind: HeaderExtensionKind)], allowsTwoByteForm: Bool = false) {
    self.init(allowsTwoByteForm: allowsTwoByteForm)
    for entry in entries { set(entry.kind, id: entry.id) }
  }

  package var isEmpty: Bool { idByKind.allSatisfy { $0 == 0 } }

  /// Gives `kind` the number `id`; 0 and 15, which RFC 8285 keeps for itself, are ignored.
  package mutating func set(_ kind: HeaderExtensionKind, id: UInt8) {
    guard id != 0, id != 15 else { return }
    if kindByID.isEmpty {
      kindByID = Array(repeating: nil, count: 256)
      idByKind = Array(repeating: 0, count: HeaderExtensionKind.allCases.count)
    }
    kindByID[Int(idByKind[Int(kind.rawValue)])] = nil
    if let former = kindByID[Int(id)] { idByKind[Int(former.rawValue)] = 0 }
    kindByID[Int(id)] = kind
    idByKind[Int(kind.rawValue)] = id
  }

  /// The number of `kind`; nil when it was not negotiated.
  package func id(of kind: HeaderExtensionKind) -> UInt8? {
    guard Int(kind.rawValue) < idByKind.count else { return nil }
    let id = idByKind[Int(kind.rawValue)]
    return id == 0 ? nil : id
  }

  /// What the number `id` stands for; nil for unknown ones.
  package func kind(of id: UInt8) -> HeaderExtensionKind? {
    Int(id) < kindByID.count ? kindByID[Int(id)] : nil
  }
}

extension HeaderExtensionMap {
  /// Overwrites the transport-wide sequence number of a written packet; false when it carries none.
  ///
  /// For senders that number packets only when they leave the pacer.
  package func setTransportSequenceNumber(
    _ number: UInt16, in packet: PacketBuffer, header: RTPHeader
  ) -> Bool {
    guard let at = offset(of: .transportSequenceNumber, size: 2, in: packet.bytes, header: header) else {
      return false
    }
    packet.set(number, at: at)
    return true
  }

  /// Overwrites the absolute send time (24 bits, units of 2^-18 s) of a written packet; false when it
  /// carries none.
  package func setAbsoluteSendTime(_ time: UInt32, in packet: PacketBuffer, header: RTPHeader) -> Bool {
    guard let at = offset(of: .absoluteSendTime, size: 3, in: packet.bytes, header: header) else {
      return false
    }
    packet.set(UInt8(truncatingIfNeeded: time &>> 16), at: at)
    packet.set(UInt16(truncatingIfNeeded: time), at: at &+ 1)
    return true
  }

  private func offset(
    of kind: HeaderExtensionKind, size: Int, in packet: RawSpan, header: RTPHeader
  ) -> Int? {
    guard let id = id(of: kind) else { return nil }
    var elements = HeaderExtensionElements(of: header, in: packet)
    while let element = elements.next() {
      if element.id == id { return element.range.count == size ? element.range.lowerBound : nil }
    }
    return nil
  }
}
