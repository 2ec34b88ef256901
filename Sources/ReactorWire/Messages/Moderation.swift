import ReactorTypes

/// The platform objects to an input (wire protocol section 5.6).
package struct Moderation: Hashable, Sendable {
  /// `warn` or `terminate`.
  package var action: String
  package var inputKind: String
  package var command: String
  package var categories: [String]
  package var message: String

  package init(
    action: String = "", inputKind: String = "", command: String = "", categories: [String] = [],
    message: String = ""
  ) {
    self.action = action
    self.inputKind = inputKind
    self.command = command
    self.categories = categories
    self.message = message
  }

  package init(json: JSONValue) {
    self.init(
      action: json["action"]?.stringValue ?? "", inputKind: json["input_kind"]?.stringValue ?? "",
      command: json["command"]?.stringValue ?? "",
      categories: json["categories"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      message: json["message"]?.stringValue ?? "")
  }

  package var json: JSONValue {
    [
      "action": .string(action), "input_kind": .string(inputKind), "command": .string(command),
      "categories": .array(categories.map { .string($0) }), "message": .string(message),
    ]
  }
}
