/// What a command takes, and what it was given: a small parser for `--name value`, `--name=value`, flags and
/// positional words.
package struct CommandLineOptions: Sendable {
  /// An option that a command knows.
  package struct Option: Sendable {
    package let name: String
    /// What the value is, for `--help`; nil for a flag.
    package let value: String?
    package let help: String
    package let repeats: Bool
    /// Whether a JSON object may follow the value as a word of its own.
    package let takesObject: Bool

    package init(
      _ name: String, value: String? = nil, repeats: Bool = false, takesObject: Bool = false, help: String
    ) {
      self.name = name
      self.value = value
      self.help = help
      self.repeats = repeats
      self.takesObject = takesObject
    }
  }

  /// A value and the JSON object that followed it.
  package struct Pair: Sendable, Equatable {
    package let value: String
    package let object: String?
  }

  private var values: [String: [Pair]] = [:]
  /// The environment, for what options do not say and for secrets.
  package let environment: [String: String]
  package private(set) var positional: [String] = []

  /// - Throws: `UsageError` for an unknown option, a missing or needless value, or one given twice.
  package init(_ arguments: [String], known: [Option], environment: [String: String] = [:]) throws {
    self.environment = environment
    var index = arguments.startIndex
    var optionsEnded = false
    while index < arguments.endIndex {
      let argument = arguments[index]
      index += 1
      if optionsEnded || !argument.hasPrefix("--") {
        positional.append(argument)
        continue
      }
      if argument == "--" {
        optionsEnded = true
        continue
      }
      let word = argument.dropFirst(2)
      let name = String(word.prefix { $0 != "=" })
      let attached = word.count > name.count ? String(word.dropFirst(name.count + 1)) : nil
      guard let option = known.first(where: { $0.name == name }) else {
        throw UsageError("unknown option --\(name)\(CommandLineOptions.suggestion(for: name, known))")
      }
      if values[name] != nil, !option.repeats {
        throw UsageError("--\(name) was given twice")
      }
      guard option.value != nil else {
        guard attached == nil else { throw UsageError("--\(name) takes no value") }
        values[name, default: []].append(Pair(value: "", object: nil))
        continue
      }
      let value: String
      if let attached {
        value = attached
      } else if index < arguments.endIndex {
        value = arguments[index]
        index += 1
      } else {
        throw UsageError("--\(name) needs a value: \(option.value ?? "")")
      }
      var object: String?
      if option.takesObject, index < arguments.endIndex, arguments[index].hasPrefix("{") {
        object = arguments[index]
        index += 1
      }
      values[name, default: []].append(Pair(value: value, object: object))
    }
  }

  package func has(_ name: String) -> Bool { values[name] != nil }

  package func text(_ name: String) -> String? { values[name]?.last?.value }

  package func all(_ name: String) -> [Pair] { values[name] ?? [] }

  /// - Throws: `UsageError` when the value is not a number in `range`.
  package func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let value = Double(text), range.contains(value) else {
      throw UsageError(
        "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return value
  }

  /// - Throws: `UsageError` when the value is not a whole number in `range`.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw UsageError(
        "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return value
  }

  private static func suggestion(for name: String, _ known: [Option]) -> String {
    guard let near = known.first(where: { $0.name.hasPrefix(name.prefix(3)) }) else { return "" }
    return "; did you mean --\(near.name)?"
  }
}
