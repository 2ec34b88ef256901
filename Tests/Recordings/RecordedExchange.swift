import Foundation
import ReactorTypes
import TestSupport

/// One request of an HTTP recording, with its answer.
package struct RecordedExchange: Sendable {
  package var method: String
  /// With the query.
  package var path: String
  package var body: JSONValue?
  package var status: Int
  /// The body of the answer: text, or JSON as text.
  package var answer: String
  /// The body of the answer where it is no text.
  package var answerBytes: [UInt8]?

  /// All exchanges of `file`, below `Fixtures/HTTP`.
  package static func load(_ file: String) throws -> [RecordedExchange] {
    let text = try Fixture.text("HTTP/\(file)")
    let entries =
      file.hasSuffix("jsonl")
      ? try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
      : try JSONValue(parsing: text).arrayValue ?? []
    return entries.compactMap { entry in
      guard let request = entry["request"], let response = entry["response"] else { return nil }
      let body = request["body"] ?? request["text"].flatMap { try? JSONValue(parsing: $0.stringValue ?? "") }
      let answer: String
      if let text = response["text"]?.stringValue ?? response["body"]?.stringValue {
        answer = text
      } else if let body = response["body"], body != .null {
        answer = (try? body.jsonText()) ?? ""
      } else {
        answer = ""
      }
      let binary = response["body"]?["base64"]?.stringValue.flatMap { Data(base64Encoded: $0) }
      return RecordedExchange(
        method: request["method"]?.stringValue ?? "", path: request["path"]?.stringValue ?? "", body: body,
        status: response["status"]?.intValue ?? 0, answer: answer, answerBytes: binary.map { [UInt8]($0) })
    }
  }
}
