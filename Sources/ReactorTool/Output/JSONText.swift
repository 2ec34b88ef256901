import Foundation
import Reactor
import ReactorToolSupport

/// JSON from and to text, by the public coding of `JSONValue`.
enum JSONText {
  /// One line, members sorted.
  static func compact(_ value: JSONValue) -> String { text(value, [.sortedKeys, .withoutEscapingSlashes]) }

  /// Indented, members sorted.
  static func pretty(_ value: JSONValue) -> String {
    text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// - Throws: `UsageError` for anything but a JSON object.
  static func object(_ text: String, of command: String) throws -> JSONValue {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      value.objectValue != nil
    else {
      throw UsageError("the arguments of '\(command)' are no JSON object: \(text)")
    }
    return value
  }

  private static func text(_ value: JSONValue, _ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    guard let data = try? encoder.encode(value) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }
}
