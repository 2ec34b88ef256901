import Foundation
import TestSupport
import Testing

/// docs/field-cases.md names tests that exist.
struct FieldCaseDocumentTests {
  @Test func `every documented field case has its tests`() throws {
    let root = Fixture.directory.deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/field-cases.md"), encoding: .utf8)
    let files = FileManager.default.enumerator(atPath: root.appending(path: "Tests").path)
    var sources: [String: [String]] = [:]
    for case let path as String in files ?? .init() where path.hasSuffix("Tests.swift") {
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      sources[name, default: []].append(
        try String(contentsOf: root.appending(path: "Tests/\(path)"), encoding: .utf8))
    }
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(
      rows.map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
        == (1...27).map(String.init))
    for row in rows {
      let cell = try #require(row.split(separator: "|").last)
      var count = 0
      for group in cell.components(separatedBy: "; ") {
        let quoted = group.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let suite = try #require(quoted.first)
        for test in quoted.dropFirst() {
          let isThere = sources[suite, default: []].contains { $0.contains("func `\(test)`") }
          #expect(isThere, "\(suite): \(test)")
          count += 1
        }
      }
      #expect(count >= 1, "\(row.prefix(40))")
    }
  }
}
