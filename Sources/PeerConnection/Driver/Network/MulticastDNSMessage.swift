import WireFormat

/// The two DNS messages that resolving an mDNS candidate needs (RFC 6762, RFC 1035 section 4).
enum MulticastDNSMessage {
  /// Questions for the IPv4 and IPv6 address of `name`, asking for a unicast answer (RFC 6762 section 5.4);
  /// nil when `name` cannot be a host name.
  static func query(for name: String) -> [UInt8]? {
    guard let encoded = encodedName(name) else { return nil }
    var writer = ByteWriter()
    writer.write(0 as UInt16)  // identifier
    writer.write(0 as UInt16)  // standard query
    writer.write(2 as UInt16)  // questions
    writer.writeZeros(6)
    for type in [RecordType.a, .aaaa] {
      writer.write(encoded)
      writer.write(type.rawValue)
      writer.write(0x8001 as UInt16)  // class IN, unicast response wanted
    }
    return writer.bytes
  }

  /// The addresses that a response gives for `name`; empty for anything that is not such a response.
  static func addresses(for name: String, in message: RawSpan) -> [IPAddress] {
    (try? parse(name.lowercased(), message)) ?? []
  }

  private enum RecordType: UInt16 {
    case a = 1
    case aaaa = 28
  }

  private struct Malformed: Error {}

  /// Records looked at in one message, and pointers followed in one name.
  private static let recordLimit = 64
  private static let pointerLimit = 16

  private static func parse(_ name: String, _ message: RawSpan) throws -> [IPAddress] {
    var reader = ByteReader(message)
    try reader.skip(2)
    let flags = try reader.uint16()
    guard flags & 0x8000 != 0, flags & 0x000F == 0 else { return [] }
    let questions = Int(try reader.uint16())
    let records = Int(try reader.uint16()) + Int(try reader.uint16()) + Int(try reader.uint16())
    guard questions + records <= recordLimit else { throw Malformed() }
    for _ in 0..<questions {
      _ = try readName(&reader, in: message)
      try reader.skip(4)
    }
    var result: [IPAddress] = []
    for _ in 0..<records {
      let owner = try readName(&reader, in: message)
      let type = RecordType(rawValue: try reader.uint16())
      try reader.skip(6)
      let length = Int(try reader.uint16())
      let data = try reader.bytes(length)
      guard type != nil, owner == name, let address = IPAddress(bytes: data) else { continue }
      result.append(address)
    }
    return result
  }

  private static func encodedName(_ name: String) -> [UInt8]? {
    var encoded: [UInt8] = []
    for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard (1...63).contains(label.count) else { return nil }
      encoded.append(UInt8(label.count))
      encoded.append(contentsOf: label)
    }
    encoded.append(0)
    return encoded.count <= 255 ? encoded : nil
  }

  /// A name in lower case, with its compression pointers (RFC 1035 section 4.1.4) followed.
  private static func readName(_ reader: inout ByteReader, in message: RawSpan) throws -> String {
    var labels: [String] = []
    var pointers = 0
    var target: Int?
    while true {
      let length: UInt8
      if let at = target {
        guard let byte = message.byte(at: at) else { throw Malformed() }
        length = byte
      } else {
        length = try reader.uint8()
      }
      switch length & 0xC0 {
      case 0xC0:
        pointers += 1
        guard pointers <= pointerLimit else { throw Malformed() }
        let low: UInt8
        if let at = target {
          guard let byte = message.byte(at: at + 1) else { throw Malformed() }
          low = byte
        } else {
          low = try reader.uint8()
        }
        target = Int(length & 0x3F) << 8 | Int(low)
      case 0:
        if length == 0 { return labels.joined(separator: ".") }
        let label: [UInt8]
        if let at = target {
          label = message.clamped(at + 1..<at + 1 + Int(length)).copyBytes()
          target = at + 1 + Int(length)
        } else {
          label = try reader.bytes(Int(length)).copyBytes()
        }
        guard label.count == Int(length), labels.count < 128 else { throw Malformed() }
        labels.append(String(decoding: label, as: UTF8.self).lowercased())
      default: throw Malformed()
      }
    }
  }
}
