import ReactorTypes

/// Checks a call against its command's declaration, with the words of the real runtime.
enum CommandCheck {
  /// Why the call does not fit; nil when it does.
  static func refusal(_ arguments: [String: JSONValue], _ command: LocalModelCommand) -> String? {
    for name in arguments.keys.sorted() where !command.parameters.contains(where: { $0.name == name }) {
      return "\(name): unexpected argument"
    }
    for parameter in command.parameters {
      guard let value = arguments[parameter.name] else {
        if parameter.isRequired { return "\(parameter.name): missing required argument" }
        continue
      }
      if let expected = mismatch(value, parameter.kind) {
        return "\(parameter.name): expected \(expected), got \(name(of: value))"
      }
    }
    return nil
  }

  private static func mismatch(_ value: JSONValue, _ kind: LocalModelCommand.ParameterKind) -> String? {
    switch kind {
    case .string: value.stringValue == nil ? "string" : nil
    case .number: value.doubleValue == nil ? "number" : nil
    case .boolean: value.boolValue == nil ? "boolean" : nil
    case .upload:
      value["upload_id"]?.stringValue == nil ? "an upload reference with a string 'upload_id'" : nil
    case .any: nil
    }
  }

  private static func name(of value: JSONValue) -> String {
    switch value {
    case .string: "str"
    case .number: "float"
    case .bool: "bool"
    case .object: "dict"
    case .array: "list"
    case .null: "NoneType"
    }
  }
}
