import ReactorTypes
import WireFormat

/// `google.protobuf.Struct` and its `Value`, read into and written from ``JSONValue`` trees.
///
/// Bounded: values nest at most ``maxDepth`` deep, and a message holds at most ``maxValues`` of them, because an
/// empty value takes two bytes on the wire and many more in memory.
package enum StructCoding {
  package static let maxDepth = 128
  package static let maxValues = 2_000_000

  /// What is left of the limits while one message is read.
  package struct Budget: Sendable {
    var values = StructCoding.maxValues

    package init() {}

    mutating func take() throws(WireMessageError) {
      guard values > 0 else { throw .tooManyValues(limit: StructCoding.maxValues) }
      values -= 1
    }
  }

  /// The members of a `Struct`.
  package static func members(
    _ span: RawSpan, budget: inout Budget, depth: Int = 0
  ) throws(WireMessageError) -> [String: JSONValue] {
    guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
    var members: [String: JSONValue] = [:]
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      guard tag.field == 1, tag.type == .bytes else {
        try reader.skip(tag)
        continue
      }
      var entry = ProtobufReader(try reader.bytes())
      var key = ""
      var value = JSONValue.null
      while let tag = try entry.next() {
        switch (tag.field, tag.type) {
        case (1, .bytes): key = try entry.string()
        case (2, .bytes): value = try self.value(try entry.bytes(), budget: &budget, depth: depth + 1)
        default: try entry.skip(tag)
        }
      }
      try budget.take()
      members[key] = value
    }
    return members
  }

  private static func value(
    _ span: RawSpan, budget: inout Budget, depth: Int
  ) throws(WireMessageError) -> JSONValue {
    var result = JSONValue.null
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      switch (tag.field, tag.type) {
      case (1, .varint):
        _ = try reader.varint()
        result = .null
      case (2, .fixed64): result = .number(try reader.double())
      case (3, .bytes): result = .string(try reader.string())
      case (4, .varint): result = .bool(try reader.varint() != 0)
      case (5, .bytes): result = .object(try members(try reader.bytes(), budget: &budget, depth: depth))
      case (6, .bytes): result = .array(try elements(try reader.bytes(), budget: &budget, depth: depth))
      default: try reader.skip(tag)
      }
    }
    return result
  }

  private static func elements(
    _ span: RawSpan, budget: inout Budget, depth: Int
  ) throws(WireMessageError) -> [JSONValue] {
    guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
    var elements: [JSONValue] = []
    var reader = ProtobufReader(span)
    while let tag = try reader.next() {
      if tag.field == 1, tag.type == .bytes {
        try budget.take()
        elements.append(try value(try reader.bytes(), budget: &budget, depth: depth + 1))
      } else {
        try reader.skip(tag)
      }
    }
    return elements
  }

  /// Writes the fields of a `Struct`, keys in order so that the same value always gives the same bytes.
  package static func write(_ members: [String: JSONValue], to writer: inout ProtobufWriter) {
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      writer.message(1) { entry in
        entry.string(1, key)
        entry.message(2) { write(value, to: &$0) }
      }
    }
  }

  private static func write(_ value: JSONValue, to writer: inout ProtobufWriter) {
    switch value {
    case .null: writer.varint(1, 0)
    case .number(let number): writer.double(2, number)
    case .string(let text): writer.string(3, text)
    case .bool(let flag): writer.bool(4, flag)
    case .object(let members): writer.message(5) { write(members, to: &$0) }
    case .array(let elements):
      writer.message(6) { list in
        for element in elements { list.message(1) { write(element, to: &$0) } }
      }
    }
  }
}
