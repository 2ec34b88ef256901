import WireFormat

/// A bounded JSON parser (RFC 8259) that makes ``JSONValue`` trees without Foundation.
///
/// It is total: any bytes give a value or a ``JSONSyntaxError``. Of a repeated key the last value counts. An
/// unpaired surrogate escape becomes U+FFFD, as peers that escape by UTF-16 unit can produce it.
package struct JSONParser: ~Escapable {
  /// How deep arrays and objects may nest: recursion is bounded by it.
  package static let defaultMaxDepth = 128
  /// How many values a text may hold: `[0,0,…]` takes many times its length in memory.
  package static let maxValues = 4_000_000

  private let span: RawSpan
  private var position = 0
  private let maxDepth: Int
  private let exactIntegers: Bool
  private var valuesLeft: Int

  /// - Parameters:
  ///   - maxDepth: how deep containers may nest.
  ///   - exactIntegers: whether an integer literal that a `Double` would round is refused.
  @_lifetime(copy span)
  package init(_ span: RawSpan, maxDepth: Int = JSONParser.defaultMaxDepth, exactIntegers: Bool = false) {
    self.span = span
    self.maxDepth = maxDepth
    self.exactIntegers = exactIntegers
    valuesLeft = JSONParser.maxValues
  }

  /// The one value that the whole text holds.
  package mutating func document() throws(JSONSyntaxError) -> JSONValue {
    // A byte order mark is not JSON, but editors and proxies put one in front.
    if span.byte(at: 0) == 0xEF, span.byte(at: 1) == 0xBB, span.byte(at: 2) == 0xBF { position = 3 }
    let value = try value(depth: 0)
    skipBlanks()
    guard span.byte(at: position) == nil else { throw .unexpectedByte(offset: position) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    skipBlanks()
    guard let byte = span.byte(at: position) else { throw .truncated }
    guard valuesLeft > 0 else { throw .tooManyValues(limit: JSONParser.maxValues) }
    valuesLeft &-= 1
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
    position &+= 1
    var members: [String: JSONValue] = [:]
    if try closes(with: UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard let quote = span.byte(at: position) else { throw .truncated }
      guard quote == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: position) }
      let key = try string()
      skipBlanks()
      try expect(UInt8(ascii: ":"))
      members[key] = try value(depth: depth &+ 1)
      if try closes(with: UInt8(ascii: "}")) { return .object(members) }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth < maxDepth else { throw .tooDeep(limit: maxDepth) }
    position &+= 1
    var elements: [JSONValue] = []
    if try closes(with: UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth &+ 1))
      if try closes(with: UInt8(ascii: "]")) { return .array(elements) }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position &+= 1
    let start = position
    // Most strings hold no escape: they are taken as they stand.
    while let byte = span.byte(at: position), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw .unexpectedByte(offset: position) }
      position &+= 1
    }
    guard let stop = span.byte(at: position) else { throw .truncated }
    if stop == UInt8(ascii: "\"") {
      defer { position &+= 1 }
      return try text(span.clamped(start..<position).copyBytes(), at: start)
    }
    var bytes = span.clamped(start..<position).copyBytes()
    while let byte = span.byte(at: position) {
      switch byte {
      case UInt8(ascii: "\""):
        position &+= 1
        return try text(bytes, at: start)
      case UInt8(ascii: "\\"):
        position &+= 1
        try escape(into: &bytes)
      case 0..<0x20:
        throw .unexpectedByte(offset: position)
      default:
        bytes.append(byte)
        position &+= 1
      }
    }
    throw .truncated
  }

  private func text(_ bytes: [UInt8], at offset: Int) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8(offset: offset) }
    return text
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONSyntaxError) {
    guard let kind = span.byte(at: position) else { throw .truncated }
    position &+= 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(kind)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(into: &bytes)
    default: throw .unexpectedByte(offset: position &- 1)
    }
  }

  private mutating func unicodeEscape(into bytes: inout [UInt8]) throws(JSONSyntaxError) {
    let unit = try hexUnit()
    var scalar = UInt32(unit)
    if unit & 0xFC00 == 0xD800, span.byte(at: position) == UInt8(ascii: "\\"),
      span.byte(at: position &+ 1) == UInt8(ascii: "u")
    {
      let resume = position
      position &+= 2
      let low = try hexUnit()
      if low & 0xFC00 == 0xDC00 {
        scalar = 0x10000 &+ (UInt32(unit & 0x3FF) &<< 10 | UInt32(low & 0x3FF))
      } else {
        position = resume
      }
    }
    let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    bytes.append(contentsOf: String(Character(character)).utf8)
  }

  private mutating func hexUnit() throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = span.byte(at: position) else { throw .truncated }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .unexpectedByte(offset: position)
      }
      unit = unit &<< 4 | UInt16(truncatingIfNeeded: digit)
      position &+= 1
    }
    return unit
  }

  private mutating func number() throws(JSONSyntaxError) -> Double {
    let start = position
    var isInteger = true
    if span.byte(at: position) == UInt8(ascii: "-") { position &+= 1 }
    let first = span.byte(at: position)
    let integerDigits = digits()
    guard integerDigits > 0 else { throw first == nil ? .truncated : .unexpectedByte(offset: position) }
    if first == UInt8(ascii: "0"), integerDigits > 1 { throw .unexpectedByte(offset: start) }
    if span.byte(at: position) == UInt8(ascii: ".") {
      isInteger = false
      position &+= 1
      try requireDigits()
    }
    if let mark = span.byte(at: position), mark | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position &+= 1
      if let sign = span.byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position &+= 1
      }
      try requireDigits()
    }
    let literal = String(decoding: span.clamped(start..<position).copyBytes(), as: UTF8.self)
    if isInteger, let integer = Int64(literal) {
      guard let exact = Double(exactly: integer) else {
        if exactIntegers { throw .inexactInteger(offset: start) }
        return Double(integer)
      }
      // "-0" has no integer of its own.
      return exact == 0 && literal.first == "-" ? -0.0 : exact
    }
    guard let value = Double(literal), value.isFinite else { throw .numberOutOfRange(offset: start) }
    if isInteger, exactIntegers { throw .inexactInteger(offset: start) }
    return value
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = span.byte(at: position), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      position &+= 1
    }
    return position &- start
  }

  private mutating func requireDigits() throws(JSONSyntaxError) {
    if digits() > 0 { return }
    throw span.byte(at: position) == nil ? .truncated : .unexpectedByte(offset: position)
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    for expected in "\(word)".utf8 { try expect(expected) }
    return value
  }

  private mutating func closes(with byte: UInt8) throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    guard let found = span.byte(at: position) else { throw .truncated }
    guard found == byte else { return false }
    position &+= 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
    guard let found = span.byte(at: position) else { throw .truncated }
    guard found == byte else { throw .unexpectedByte(offset: position) }
    position &+= 1
  }

  private mutating func skipBlanks() {
    while let byte = span.byte(at: position), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position &+= 1
    }
  }
}
