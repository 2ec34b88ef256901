/// Writes ``JSONValue`` trees as compact JSON with sorted keys and unescaped slashes, without Foundation.
package struct JSONWriter: Sendable {
  private var bytes: [UInt8] = []
  private let maxDepth: Int

  private init(maxDepth: Int) {
    self.maxDepth = maxDepth
  }

  /// The bytes of `value`.
  ///
  /// Throws ``JSONSyntaxError/notFinite`` for NaN and infinity, and ``JSONSyntaxError/tooDeep(limit:)`` for what
  /// the parser would refuse as well.
  package static func bytes(
    _ value: JSONValue, maxDepth: Int = JSONParser.defaultMaxDepth
  ) throws(JSONSyntaxError) -> [UInt8] {
    var writer = JSONWriter(maxDepth: maxDepth)
    try writer.write(value, depth: 0)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue, depth: Int) throws(JSONSyntaxError) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): try write(number)
    case .string(let text): write(text)
    case .array(let elements):
      guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try write(element, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.key)
        bytes.append(UInt8(ascii: ":"))
        try write(member.value, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ number: Double) throws(JSONSyntaxError) {
    guard number.isFinite else { throw .notFinite }
    // Whole numbers without a fraction: peers take `20`, not `20.0`, for an integer field.
    if let integer = Int64(exactly: number), integer.magnitude <= 1 << 53,
      integer != 0 || number.sign == .plus
    {
      bytes.append(contentsOf: String(integer).utf8)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(JSONWriter.hexDigit(byte &>> 4))
        bytes.append(JSONWriter.hexDigit(byte & 0xF))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
  }
}
