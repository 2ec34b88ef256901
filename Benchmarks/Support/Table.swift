/// Figures in rows and named columns.
struct Table {
  enum Value {
    case text(String)
    case number(Double)
    case count(Int)
    /// Not measured, or it does not apply.
    case none

    var text: String {
      switch self {
      case .text(let text): text
      case .number(let value): Value.threeDigits(value)
      case .count(let value): String(value)
      case .none: "–"
      }
    }

    var json: String {
      switch self {
      case .text(let text): Value.quoted(text)
      case .number(let value): value.isFinite ? decimal(value) : "null"
      case .count(let value): String(value)
      case .none: "null"
      }
    }

    /// As many digits as a measurement is worth.
    private static func threeDigits(_ value: Double) -> String {
      guard value.isFinite else { return "–" }
      let size = value.magnitude
      return decimal(value, digits: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
    }

    static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case " "...: result.unicodeScalars.append(scalar)
        default: result += " "
        }
      }
      return result + "\""
    }
  }

  let title: String
  let columns: [String]
  private(set) var rows: [[Value]] = []
  /// What has to be said about the figures.
  private(set) var notes: [String] = []

  init(_ title: String, _ columns: [String]) {
    self.title = title
    self.columns = columns
  }

  mutating func add(_ values: Value...) { add(values) }

  mutating func add(_ values: [Value]) {
    rows.append(values)
  }

  mutating func note(_ text: String) {
    notes.append(text)
  }

  /// The first column to the left, figures to the right.
  var text: String {
    let cells = [columns] + rows.map { $0.map(\.text) }
    let widths = columns.indices.map { column in
      cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let lines = cells.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }
    return (["", title] + lines + notes.map { "(\($0))" }).joined(separator: "\n")
  }

  var json: String {
    let objects = rows.map { row in
      let fields = zip(columns, row).map { "\(Value.quoted($0)): \($1.json)" }
      return "    {\(fields.joined(separator: ", "))}"
    }
    let notes = notes.map(Value.quoted).joined(separator: ", ")
    return """
      {"title": \(Value.quoted(title)), "notes": [\(notes)], "rows": [
      \(objects.joined(separator: ",\n"))
      ]}
      """
  }
}
