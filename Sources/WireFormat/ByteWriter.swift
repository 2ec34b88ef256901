/// Appends big-endian (network order) integers and bytes to a growing array.
///
/// For messages that are built now and then. A media packet is written into a ``PacketBuffer`` instead.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8]

  package init(capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  package var count: Int { bytes.count }

  package mutating func write(_ value: UInt8) {
    bytes.append(value)
  }

  package mutating func write(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value &>> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// The low 24 bits.
  package mutating func write24(_ value: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: value &>> 16))
    write(UInt16(truncatingIfNeeded: value))
  }

  package mutating func write(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value &>> 16))
    write(UInt16(truncatingIfNeeded: value))
  }

  package mutating func write(_ value: UInt64) {
    write(UInt32(truncatingIfNeeded: value &>> 32))
    write(UInt32(truncatingIfNeeded: value))
  }

  package mutating func writeLittleEndian(_ value: UInt32) {
    write(value.byteSwapped)
  }

  package mutating func writeLittleEndian(_ value: UInt64) {
    write(value.byteSwapped)
  }

  /// A base-128 integer, least significant group first (protobuf).
  package mutating func writeVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func write(_ span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  package mutating func write(_ more: ArraySlice<UInt8>) {
    bytes.append(contentsOf: more)
  }

  package mutating func write(utf8 text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func writeZeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: max(0, count)))
  }

  /// Overwrites two bytes written before; does nothing when `offset` is not inside what was written.
  package mutating func set(_ value: UInt16, at offset: Int) {
    guard offset >= 0, offset <= bytes.count - 2 else { return }
    bytes[offset] = UInt8(truncatingIfNeeded: value &>> 8)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: value)
  }

  /// Overwrites four bytes written before; does nothing when `offset` is not inside what was written.
  package mutating func set(_ value: UInt32, at offset: Int) {
    guard offset >= 0, offset <= bytes.count - 4 else { return }
    set(UInt16(truncatingIfNeeded: value &>> 16), at: offset)
    set(UInt16(truncatingIfNeeded: value), at: offset + 2)
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}
