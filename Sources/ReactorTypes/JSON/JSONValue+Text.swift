import WireFormat

extension JSONValue {
  /// Parses a whole JSON text of at most `maxBytes` bytes.
  package init(
    parsing bytes: [UInt8], maxBytes: Int = 64 << 20, exactIntegers: Bool = false
  ) throws(JSONSyntaxError) {
    guard bytes.count <= maxBytes else { throw .tooLong(limit: maxBytes) }
    var parser = JSONParser(bytes.rawSpan, exactIntegers: exactIntegers)
    self = try parser.document()
  }

  /// Parses a whole JSON text.
  package init(parsing text: String, exactIntegers: Bool = false) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8), exactIntegers: exactIntegers)
  }

  /// Compact JSON with sorted keys; throws for NaN and infinity.
  package func jsonBytes() throws(JSONSyntaxError) -> [UInt8] {
    try JSONWriter.bytes(self)
  }

  /// Compact JSON with sorted keys; throws for NaN and infinity.
  package func jsonText() throws(JSONSyntaxError) -> String {
    String(decoding: try JSONWriter.bytes(self), as: UTF8.self)
  }

  /// Whether no number within is NaN or infinite and nothing nests deeper than JSON may here.
  package func isRepresentable(depth: Int = JSONParser.defaultMaxDepth) -> Bool {
    switch self {
    case .number(let number): number.isFinite
    case .array(let elements): depth > 0 && elements.allSatisfy { $0.isRepresentable(depth: depth - 1) }
    case .object(let members):
      depth > 0 && members.values.allSatisfy { $0.isRepresentable(depth: depth - 1) }
    case .string, .bool, .null: true
    }
  }
}
