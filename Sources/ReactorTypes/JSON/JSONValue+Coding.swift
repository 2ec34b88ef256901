#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONValue {
  /// The JSON tree that `value` encodes to.
  ///
  /// Integers that a `Double` would round are refused (``JSONSyntaxError/inexactInteger(offset:)``) instead of
  /// being sent changed; NaN and infinity fail in the encoder.
  package init(encoding value: some Encodable) throws {
    if let already = value as? JSONValue {
      self = already
      return
    }
    let data = try JSONEncoder().encode(value)
    self = try JSONValue(parsing: [UInt8](data), exactIntegers: true)
  }

  /// This tree as a value of type `T`.
  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: Data(try jsonBytes()))
  }
}
