import Foundation
import ReactorTypes
import Testing
import WireFormat

@Suite struct JSONParserTests {
  static let valid: [(String, JSONValue)] = [
    ("null", JSONValue.null), (" true ", true), ("false", false), ("0", 0), ("-0", JSONValue.number(-0.0)),
    ("20.0", 20),
    ("1e3", 1000), ("-1.5E-2", -0.015), ("\"\"", ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u00e9\ud83e\udd8a""#, "é🦊"), (#""\ud800x""#, "\u{FFFD}x"), (#""\udc00""#, "\u{FFFD}"),
    (#""\ud800\u0041""#, "\u{FFFD}A"), ("[]", []), ("{}", [:]),
    ("[1,[2],{\"a\":null}]", [1, [2], ["a": nil]]),
    ("{\"a\":1,\"a\":2}", ["a": 2]), ("\u{FEFF}1", 1),
    ("9007199254740993", JSONValue.number(9_007_199_254_740_992)),
    ("123456789012345678901234567890", JSONValue.number(1.2345678901234568e29)),
  ]

  @Test(arguments: valid)
  func `what is JSON becomes its value`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "'a'", "\"",
    "\"\\x\"",
    "\"\\u12\"", "\"\u{1}\"", "[", "[1", "[1,", "[1,]", "[,1]", "{", "{\"a\"", "{\"a\":", "{\"a\":1,}",
    "{a:1}", "{\"a\" 1}",
    "1 2", "[1]]", "1e999", "-1e999", "tru\u{0}", "//x\n1",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
  }

  @Test func `strings must be UTF-8`() {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22]) }
  }

  @Test func `nesting, length and number of values are bounded`() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(throws: Never.self) { try JSONValue(parsing: deepest) }
    #expect(throws: JSONSyntaxError.tooDeep(limit: 128)) { try JSONValue(parsing: "[\(deepest)]") }
    #expect(throws: JSONSyntaxError.tooDeep(limit: 128)) {
      try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONSyntaxError.tooLong(limit: 3)) {
      try JSONValue(parsing: Array("1234".utf8), maxBytes: 3)
    }
    let many =
      Array("[".utf8) + [UInt8](repeating: 0, count: 0)
      + Array(String(repeating: "0,", count: 4_000_001).utf8)
    #expect(throws: JSONSyntaxError.tooManyValues(limit: 4_000_000)) { try JSONValue(parsing: many) }
  }

  @Test func `an integer that a Double would change is refused where that is asked for`() throws {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "9007199254740993", exactIntegers: true) }
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: "18446744073709551615", exactIntegers: true)
    }
    #expect(try JSONValue(parsing: "9007199254740992", exactIntegers: true) == .number(9_007_199_254_740_992))
    #expect(try JSONValue(parsing: "1152921504606846976", exactIntegers: true).intValue == 1 << 60)
    #expect(throws: (any Error).self) { try JSONValue(encoding: ["seed": UInt64.max]) }
    #expect(throws: (any Error).self) { try JSONValue(encoding: ["x": Double.nan]) }
    #expect(try JSONValue(encoding: ["seed": 7]) == ["seed": 7])
  }

  @Test func `what is written reads back, with sorted keys and plain slashes`() throws {
    let value: JSONValue = [
      "b": [1, -2.5, 1e300, true, nil], "a": "x/y\n\u{1}\"\\é🦊", "c": [:], "d": [], "e": 20.0,
    ]
    let text = try value.jsonText()
    #expect(text.hasPrefix(#"{"a":"x/y\n\u0001\"\\é🦊","b":[1,-2.5,"#))
    #expect(text.hasSuffix(#""c":{},"d":[],"e":20}"#))
    #expect(try JSONValue(parsing: text) == value)
    #expect(throws: JSONSyntaxError.notFinite) { try JSONValue.number(.nan).jsonBytes() }
    #expect(throws: JSONSyntaxError.notFinite) { try JSONValue.number(-.infinity).jsonBytes() }
  }

  @Test func `values made at random read back the same, by this parser and by Foundation's`() throws {
    for seed in 0..<300 {
      var random = RandomSource(seed: UInt64(seed))
      let value = JSONValue.random(using: &random, depth: 4)
      let bytes = try value.jsonBytes()
      #expect(try JSONValue(parsing: bytes) == value, "seed \(seed)")
      let theirs = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
      #expect(theirs == value, "seed \(seed)")
      let encoded = try JSONEncoder().encode(value)
      #expect(try JSONValue(parsing: [UInt8](encoded)) == value, "seed \(seed)")
    }
  }

  @Test func `mutated texts never trap`() throws {
    let text = Array(
      #"{"a":[1,2.5e-3,"x\u00e9\n",null,true,{"b":{}}],"long":"0123456789","n":-12345678901234567890}"#.utf8)
    for seed in 0..<20_000 {
      var random = RandomSource(seed: UInt64(seed))
      var bytes = text
      for _ in 0...(random.uint32() % 4) {
        let at = Int(random.uint32()) % bytes.count
        switch random.uint32() % 4 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(bytes[Int(random.uint32()) % bytes.count], at: at)
        default: bytes.removeSubrange(at...)
        }
        if bytes.isEmpty { bytes = [0x5B] }
      }
      if let value = try? JSONValue(parsing: bytes) {
        #expect(try JSONValue(parsing: value.jsonBytes()) == value, "seed \(seed)")
      }
    }
  }
}

extension JSONValue {
  static func random(using random: inout RandomSource, depth: Int) -> JSONValue {
    switch random.uint32() % (depth > 0 ? 7 : 5) {
    case 0: return .null
    case 1: return .bool(random.uint32() & 1 == 0)
    case 2: return .number(Double(Int32(bitPattern: random.uint32())))
    case 3:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite && number.magnitude > 1e-300 ? number : 0.1)
    case 4:
      return .string(
        String(
          String.UnicodeScalarView(
            (0..<random.uint32() % 8).map { _ in
              Unicode.Scalar(random.uint32() % 0x11_0000) ?? "?"
            })))
    case 5:
      return .array((0..<random.uint32() % 5).map { _ in JSONValue.random(using: &random, depth: depth - 1) })
    default:
      var members: [String: JSONValue] = [:]
      for index in 0..<random.uint32() % 5 {
        members["k\(index)/\(random.uint16())"] = JSONValue.random(using: &random, depth: depth - 1)
      }
      return .object(members)
    }
  }
}
