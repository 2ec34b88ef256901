/// What a command is called, takes and does: the source of its parser and of its `--help`.
package struct CommandDescription: Sendable {
  package let name: String
  /// One line.
  package let summary: String
  /// What a newcomer needs to know, in lines of at most 80 characters.
  package let discussion: String
  package let options: [CommandLineOptions.Option]
  /// Whole command lines to copy.
  package let examples: [String]

  package init(
    name: String, summary: String, discussion: String, options: [CommandLineOptions.Option],
    examples: [String]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.examples = examples
  }

  /// The page that `--help` prints.
  package var help: String {
    var lines = ["reactor \(name): \(summary)", "", discussion]
    if !options.isEmpty {
      lines += ["", "Options:"]
      let titles = options.map { option in
        "--" + option.name + (option.value.map { " \($0)" } ?? "") + (option.takesObject ? " [JSON]" : "")
      }
      let width = (titles.map(\.count).max() ?? 0) + 2
      for (title, option) in zip(titles, options) {
        let gap = String(repeating: " ", count: width - title.count)
        lines.append("  \(title)\(gap)\(option.help)\(option.repeats ? " (repeatable)" : "")")
      }
    }
    if !examples.isEmpty { lines += ["", "Examples:"] + examples.map { "  " + $0 } }
    return lines.joined(separator: "\n")
  }
}
