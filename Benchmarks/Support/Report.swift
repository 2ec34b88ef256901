/// What a run has found: each table is printed when it is finished, or all together as JSON.
struct Report {
  private let isJSON: Bool
  private var tables: [Table] = []

  init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  mutating func add(_ table: Table) {
    if isJSON {
      tables.append(table)
    } else {
      print(table.text)
    }
  }

  func finish() {
    if isJSON { print("[" + tables.map(\.json).joined(separator: ",\n") + "]") }
  }
}
