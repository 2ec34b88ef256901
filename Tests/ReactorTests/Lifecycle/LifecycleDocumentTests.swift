import Foundation
import Reactor
import TestSupport
import Testing

/// docs/lifecycle.md and the machine say the same.
struct LifecycleDocumentTests {
  /// The cells of each row of the table whose head begins with `first`.
  private static func table(_ first: String) throws -> [[String]] {
    let page = Fixture.directory.deletingLastPathComponent().appending(path: "docs/lifecycle.md")
    let lines = String(decoding: try Data(contentsOf: page), as: UTF8.self).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(first) |") })
    return lines[start...].prefix { $0.hasPrefix("|") }.filter { !$0.hasPrefix("|---") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func `every cell of the documented table is what the machine does`() throws {
    let rows = try LifecycleDocumentTests.table("input")
    let columns = try rows[0].dropFirst().map { try #require(LifecycleColumn(rawValue: $0)) }
    #expect(columns == LifecycleColumn.allCases)
    let inputs = try rows.dropFirst().map { try #require(LifecycleInput(rawValue: $0[0])) }
    #expect(inputs == LifecycleInput.allCases)
    for (input, row) in zip(inputs, rows.dropFirst()) {
      try #require(row.count == columns.count + 1)
      for (column, cell) in zip(columns, row.dropFirst()) {
        #expect(
          LifecycleTable.reaction(to: input, in: column).rawValue == cell,
          "\(input.rawValue) in \(column.rawValue)")
      }
    }
  }

  @Test func `the documented steps are those that an attempt takes`() throws {
    let steps = try LifecycleDocumentTests.table("step").dropFirst().map { $0[0] }
    #expect(steps == AttemptStep.allCases.map(\.rawValue))
  }
}
