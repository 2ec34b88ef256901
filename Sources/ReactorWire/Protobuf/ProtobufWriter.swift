/// Appends protobuf fields. A message within a message is written in place and its length put before it.
package struct ProtobufWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func varint(_ field: UInt32, _ value: UInt64) {
    tag(field, .varint)
    raw(value)
  }

  /// Left out when zero, as proto3 has it for fields without presence.
  package mutating func varintUnlessZero(_ field: UInt32, _ value: UInt64) {
    if value != 0 { varint(field, value) }
  }

  package mutating func bool(_ field: UInt32, _ value: Bool) {
    varint(field, value ? 1 : 0)
  }

  package mutating func double(_ field: UInt32, _ value: Double) {
    tag(field, .fixed64)
    var bits = value.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
  }

  package mutating func doubleUnlessZero(_ field: UInt32, _ value: Double) {
    if value.bitPattern != 0 { double(field, value) }
  }

  package mutating func string(_ field: UInt32, _ value: String) {
    tag(field, .bytes)
    var value = value
    value.withUTF8 { utf8 in
      raw(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  package mutating func stringUnlessEmpty(_ field: UInt32, _ value: String) {
    if !value.isEmpty { string(field, value) }
  }

  package mutating func bytes(_ field: UInt32, _ value: [UInt8]) {
    tag(field, .bytes)
    raw(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Repeated integers in one field.
  package mutating func packed(_ field: UInt32, _ values: [UInt32]) {
    message(field) { body in
      for value in values { body.raw(UInt64(value)) }
    }
  }

  /// A message as a field: `body` writes its fields.
  package mutating func message(_ field: UInt32, _ body: (inout ProtobufWriter) -> Void) {
    tag(field, .bytes)
    // One byte is kept for the length, which is enough for most; longer ones move the body.
    let start = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - start - 1
    if length < 0x80 {
      bytes[start] = UInt8(length)
      return
    }
    var prefix: [UInt8] = []
    var rest = length
    while rest >= 0x80 {
      prefix.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    prefix.append(UInt8(rest))
    bytes.replaceSubrange(start...start, with: prefix)
  }

  private mutating func tag(_ field: UInt32, _ type: ProtobufReader.WireType) {
    raw(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  private mutating func raw(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
