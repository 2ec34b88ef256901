import WireFormat

/// Reads one protobuf message field by field, out of bytes that nobody vouches for.
///
/// Fields that the caller does not know are skipped, groups included. A known field with another wire type counts
/// as unknown, as protobuf itself has it.
package struct ProtobufReader: ~Escapable {
  package struct Tag: Hashable, Sendable {
    package let field: UInt32
    package let type: WireType
  }

  package enum WireType: UInt8, Sendable {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case groupStart = 3
    case groupEnd = 4
    case fixed32 = 5
  }

  private static let maxGroupDepth = 32

  private var reader: ByteReader

  @_lifetime(copy span)
  package init(_ span: RawSpan) {
    reader = ByteReader(span)
  }

  package var isAtEnd: Bool { reader.isAtEnd }

  /// The next field, or nil at the end of the message.
  package mutating func next() throws(WireMessageError) -> Tag? {
    if reader.isAtEnd { return nil }
    let raw = try varint()
    guard let field = UInt32(exactly: raw >> 3), field > 0, field < 1 << 29,
      let type = WireType(rawValue: UInt8(truncatingIfNeeded: raw & 7))
    else { throw .malformed }
    return Tag(field: field, type: type)
  }

  package mutating func varint() throws(WireMessageError) -> UInt64 {
    do {
      return try reader.varint()
    } catch .truncated {
      throw .truncated
    } catch {
      throw .malformed
    }
  }

  package mutating func double() throws(WireMessageError) -> Double {
    do {
      return Double(bitPattern: try reader.uint64LittleEndian())
    } catch {
      throw .truncated
    }
  }

  /// The bytes of a length-delimited field: a string, bytes, or a message within this one.
  @_lifetime(copy self)
  package mutating func bytes() throws(WireMessageError) -> RawSpan {
    guard let length = Int(exactly: try varint()) else { throw .truncated }
    do {
      return try reader.bytes(length)
    } catch {
      throw .truncated
    }
  }

  package mutating func string() throws(WireMessageError) -> String {
    let span = try bytes()
    guard let text = span.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
      throw .invalidUTF8
    }
    return text
  }

  package mutating func skip(_ tag: Tag) throws(WireMessageError) {
    var openGroups = 0
    var tag = tag
    while true {
      switch tag.type {
      case .varint: _ = try varint()
      case .fixed64: _ = try double()
      case .fixed32:
        do { _ = try reader.uint32() } catch { throw .truncated }
      case .bytes: _ = try bytes()
      case .groupStart:
        openGroups += 1
        guard openGroups <= ProtobufReader.maxGroupDepth else {
          throw .tooDeep(limit: ProtobufReader.maxGroupDepth)
        }
      case .groupEnd:
        guard openGroups > 0 else { throw .malformed }
        openGroups -= 1
      }
      if openGroups == 0 { return }
      guard let following = try next() else { throw .truncated }
      tag = following
    }
  }
}
