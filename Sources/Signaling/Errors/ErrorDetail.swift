import ReactorTypes

/// What a failed answer's body says, as one short line.
enum ErrorDetail {
  private static let maxLength = 512

  /// - Parameters:
  ///   - json: the body when it was JSON, redacted.
  ///   - text: the body as it came.
  static func line(json: JSONValue?, text: [UInt8], secrets: [String]) -> String? {
    if let json {
      return clean(sentence(json) ?? (try? json.jsonText()) ?? "")
    }
    return clean(
      Redaction.redact(String(decoding: text.prefix(4 * maxLength), as: UTF8.self), secrets: secrets))
  }

  private static func sentence(_ json: JSONValue) -> String? {
    if let text = json.stringValue { return text }
    for key in ["detail", "message", "error", "reason"] {
      if let text = json[key]?.stringValue { return text }
      if let nested = json[key]?["message"]?.stringValue { return nested }
    }
    // Validation failures come as a list of places and texts.
    if let first = json["detail"]?.arrayValue?.first, let text = first["msg"]?.stringValue {
      let place =
        first["loc"]?.arrayValue?.compactMap { $0.stringValue ?? $0.intValue.map(String.init) } ?? []
      return place.isEmpty ? text : "\(place.joined(separator: ".")): \(text)"
    }
    return nil
  }

  private static func clean(_ text: String) -> String? {
    var line = ""
    for scalar in text.unicodeScalars.prefix(maxLength) {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      line.unicodeScalars.append(isControl ? " " : scalar)
    }
    let words = line.split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
