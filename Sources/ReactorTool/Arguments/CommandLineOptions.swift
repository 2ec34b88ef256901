/// What a command takes, and what it was given: a small parser for `--name value`, `--name=value`, flags and
/// positional words.
struct CommandLineOptions {
  /// An option that a command knows.
  struct Option {
    let name: String
    /// What the value is, for `--help`; nil for a flag.
    let value: String?
    let help: String
    let repeats: Bool

    init(_ name: String, value: String? = nil, repeats: Bool = false, help: String) {
      self.name = name
      self.value = value
      self.help = help
      self.repeats = repeats
    }
  }

  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  private var values: [String: [String]] = [:]
  private(set) var positional: [String] = []

  /// - Throws: `UsageError` for an unknown option, a missing or needless value, or one given twice.
  init(_ arguments: [String], known: [Option]) throws {
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
        throw UsageError(
          description: "unknown option --\(name)\(CommandLineOptions.suggestion(for: name, known))")
      }
      if values[name] != nil, !option.repeats {
        throw UsageError(description: "--\(name) was given twice")
      }
      guard option.value != nil else {
        guard attached == nil else { throw UsageError(description: "--\(name) takes no value") }
        values[name, default: []].append("")
        continue
      }
      if let attached {
        values[name, default: []].append(attached)
      } else if index < arguments.endIndex {
        values[name, default: []].append(arguments[index])
        index += 1
      } else {
        throw UsageError(description: "--\(name) needs a value: \(option.value ?? "")")
      }
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// - Throws: `UsageError` when the value is not a number in `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let value = Double(text), range.contains(value) else {
      throw UsageError(
        description: "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return value
  }

  /// - Throws: `UsageError` when the value is not a whole number in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw UsageError(
        description:
          "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return value
  }

  private static func suggestion(for name: String, _ known: [Option]) -> String {
    guard let near = known.first(where: { $0.name.hasPrefix(name.prefix(3)) }) else { return "" }
    return "; did you mean --\(near.name)?"
  }
}
