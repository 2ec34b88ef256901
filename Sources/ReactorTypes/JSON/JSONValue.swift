/// A JSON value of any shape: command arguments, model messages, schema documents.
///
/// There is one numeric case, so integers beyond 2^53 lose digits; send such a number as a string.
public enum JSONValue: Sendable, Hashable, Codable {
  /// Text.
  case string(String)
  /// Any number.
  case number(Double)
  /// `true` or `false`.
  case bool(Bool)
  /// Members by name; their order is not kept.
  case object([String: JSONValue])
  /// Elements in order.
  case array([JSONValue])
  /// JSON's `null`, which is not the same as an absent value.
  case null

  /// Decodes whatever the decoder holds; throws `DecodingError` for a number that no `Double` can hold.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value; a JSON encoder refuses NaN and infinity.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .null: try container.encodeNil()
    }
  }

  /// The text, when this is a string.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number, when this is one.
  public var doubleValue: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer; nil for NaN, infinity, a fraction, or what `Int` cannot hold.
  public var intValue: Int? {
    if case .number(let value) = self { Int(exactly: value) } else { nil }
  }

  /// The truth value, when this is one. A number never counts as one.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The members, when this is an object.
  public var objectValue: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The elements, when this is an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The member `key`; nil when there is none, or when this is not an object.
  public subscript(key: String) -> JSONValue? {
    if case .object(let value) = self { value[key] } else { nil }
  }
}
