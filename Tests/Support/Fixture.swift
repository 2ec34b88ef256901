import Foundation

/// Recorded data in the package's `Fixtures` folder.
package enum Fixture {
  package static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// The bytes of `path`, relative to `Fixtures`.
  package static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: directory.appending(path: path)))
  }

  package static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// Paths, relative to `Fixtures`, of all files below `folder` whose name ends in `suffix`, sorted.
  package static func files(in folder: String, suffix: String) -> [String] {
    let base = directory.appending(path: folder)
    let found = FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String] ?? []
    return found.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }
}

/// Bytes from hexadecimal digits; blanks are skipped.
package func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Hexadecimal digits of bytes.
package func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}
