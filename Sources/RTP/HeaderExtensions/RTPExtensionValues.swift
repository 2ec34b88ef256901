import WireFormat

/// The values that a packet's header extensions carry, or are to carry; nil where absent.
package struct RTPExtensionValues: Hashable, Sendable {
  /// 24 bits, units of 2^-18 s, wrapping each 64 s.
  package var absoluteSendTime: UInt32?
  package var transportSequenceNumber: UInt16?
  /// The media section (RFC 9143 section 15).
  package var mid: String?
  /// The stream within the section (RFC 8852).
  package var rid: String?
  /// For repair streams: the rid of the stream that they repair (RFC 8852).
  package var repairedRid: String?
  package var audioLevel: AudioLevel?
  package var videoOrientation: VideoOrientation?
  package var playoutDelay: PlayoutDelay?
  /// 24 bits, signed, RTP clock units between timestamp and transmission (RFC 5450).
  package var transmissionOffset: Int32?
  package var colourSpace: VideoColourSpace?

  package init() {}

  /// Reads what `map` knows of; elements with other numbers or impossible sizes are passed over.
  package init(of header: RTPHeader, in packet: RawSpan, map: HeaderExtensionMap) {
    guard header.extensionProfile != nil else { return }
    var elements = HeaderExtensionElements(of: header, in: packet)
    while let element = elements.next() {
      guard let kind = map.kind(of: element.id) else { continue }
      read(kind, from: packet.clamped(element.range))
    }
  }

  private mutating func read(_ kind: HeaderExtensionKind, from data: RawSpan) {
    var reader = ByteReader(data)
    switch kind {
    case .absoluteSendTime:
      if data.byteCount == 3, let value = try? reader.uint24() { absoluteSendTime = value }
    case .transportSequenceNumber:
      // Four bytes in version 2 of the extension, whose feedback-request word is of no use here.
      if data.byteCount == 2 || data.byteCount == 4, let value = try? reader.uint16() {
        transportSequenceNumber = value
      }
    case .mid: mid = identifier(data) ?? mid
    case .rid: rid = identifier(data) ?? rid
    case .repairedRid: repairedRid = identifier(data) ?? repairedRid
    case .audioLevel:
      if data.byteCount == 1, let value = try? reader.uint8() { audioLevel = AudioLevel(rawValue: value) }
    case .videoOrientation:
      if data.byteCount == 1, let value = try? reader.uint8() {
        videoOrientation = VideoOrientation(rawValue: value)
      }
    case .playoutDelay:
      if data.byteCount == 3, let value = try? reader.uint24() {
        playoutDelay = PlayoutDelay(rawValue: value)
      }
    case .transmissionOffset:
      if data.byteCount == 3, let value = try? reader.uint24() {
        transmissionOffset = Int32(bitPattern: value &<< 8) &>> 8
      }
    case .colourSpace:
      // High dynamic range may follow, which nothing here shows.
      if data.byteCount == 4 || data.byteCount == 28, let value = try? reader.uint32() {
        colourSpace = VideoColourSpace(rawValue: value)
      }
    }
  }

  private func identifier(_ data: RawSpan) -> String? {
    guard data.byteCount > 0, data.byteCount <= 255 else { return nil }
    for offset in 0..<data.byteCount {
      // Identifiers are tokens: ASCII (RFC 8852 section 3, RFC 5888).
      guard let byte = data.byte(at: offset), byte > 0x20, byte < 0x7F else { return nil }
    }
    return data.decodedUTF8()
  }
}

extension RTPExtensionValues {
  /// Appends the extension block to a header; false when there is nothing to carry.
  func write(into packet: PacketBuffer, map: HeaderExtensionMap) throws(WireError) -> Bool {
    guard !map.isEmpty else { return false }
    let form = neededForm(map)
    guard let form else { return false }
    try packet.append(form == .oneByte ? 0xBEDE : 0x1000 as UInt16)
    let lengthAt = packet.count
    try packet.append(0 as UInt16)
    for kind in HeaderExtensionKind.allCases {
      guard let id = map.id(of: kind), let size = size(of: kind) else { continue }
      switch form {
      case .oneByte:
        guard fitsOneByteForm(id: id, size: size) else { continue }
        try packet.append(id &<< 4 | UInt8(truncatingIfNeeded: size &- 1))
      case .twoByte:
        try packet.append(id)
        try packet.append(UInt8(truncatingIfNeeded: size))
      }
      try write(kind, into: packet)
    }
    let used = packet.count &- lengthAt &- 2
    let padding = (4 &- used % 4) % 4
    try packet.appendZeros(padding)
    packet.set(UInt16(truncatingIfNeeded: (used &+ padding) / 4), at: lengthAt)
    return true
  }

  private enum Form {
    case oneByte
    case twoByte
  }

  private func fitsOneByteForm(id: UInt8, size: Int) -> Bool {
    id < 15 && size >= 1 && size <= 16
  }

  private func neededForm(_ map: HeaderExtensionMap) -> Form? {
    var hasOneByteElement = false
    for kind in HeaderExtensionKind.allCases {
      guard let id = map.id(of: kind), let size = size(of: kind) else { continue }
      if fitsOneByteForm(id: id, size: size) {
        hasOneByteElement = true
      } else if map.allowsTwoByteForm {
        return .twoByte
      }
    }
    return hasOneByteElement ? .oneByte : nil
  }

  private func size(of kind: HeaderExtensionKind) -> Int? {
    switch kind {
    case .absoluteSendTime: absoluteSendTime == nil ? nil : 3
    case .transportSequenceNumber: transportSequenceNumber == nil ? nil : 2
    case .mid: identifierSize(mid)
    case .rid: identifierSize(rid)
    case .repairedRid: identifierSize(repairedRid)
    case .audioLevel: audioLevel == nil ? nil : 1
    case .videoOrientation: videoOrientation == nil ? nil : 1
    case .playoutDelay: playoutDelay == nil ? nil : 3
    case .transmissionOffset: transmissionOffset == nil ? nil : 3
    case .colourSpace: colourSpace == nil ? nil : 4
    }
  }

  private func identifierSize(_ text: String?) -> Int? {
    guard let count = text?.utf8.count, count > 0, count <= 255 else { return nil }
    return count
  }

  private func write(_ kind: HeaderExtensionKind, into packet: PacketBuffer) throws(WireError) {
    switch kind {
    case .absoluteSendTime: try packet.append24(absoluteSendTime ?? 0)
    case .transportSequenceNumber: try packet.append(transportSequenceNumber ?? 0)
    case .mid: try write(mid, into: packet)
    case .rid: try write(rid, into: packet)
    case .repairedRid: try write(repairedRid, into: packet)
    case .audioLevel: try packet.append(audioLevel?.rawValue ?? 0)
    case .videoOrientation: try packet.append(videoOrientation?.rawValue ?? 0)
    case .playoutDelay: try packet.append24(playoutDelay?.rawValue ?? 0)
    case .transmissionOffset: try packet.append24(UInt32(bitPattern: transmissionOffset ?? 0))
    case .colourSpace: try packet.append(colourSpace?.rawValue ?? 0)
    }
  }

  private func write(_ text: String?, into packet: PacketBuffer) throws(WireError) {
    guard let text else { return }
    for byte in text.utf8 { try packet.append(byte) }
  }
}
