/// What one check found.
struct Finding {
  enum Grade: String {
    case ok
    case warning
    case broken
  }

  let check: String
  let grade: Grade
  /// What is so, and if it is not well, what to do.
  let words: String

  init(_ check: String, _ grade: Grade, _ words: String) {
    self.check = check
    self.grade = grade
    self.words = words
  }

  /// The same, no graver than `limit`.
  func atMost(_ limit: Grade) -> Finding {
    grade == .broken && limit == .warning ? Finding(check, .warning, words) : self
  }
}
