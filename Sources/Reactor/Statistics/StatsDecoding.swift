import ReactorTypes

/// Turns the standard library's decoding errors into the SDK's.
enum StatsDecoding {
  static func run<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DecodingError {
      throw ReactorError(
        .decodeFailed, "the statistics cannot be read: \(describe(error))", operation: "get_stats")
    }
  }

  private static func describe(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not \(type)"
    case .dataCorrupted(let context): context.debugDescription
    @unknown default: "they are malformed"
    }
  }
}
