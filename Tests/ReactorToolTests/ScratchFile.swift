import Foundation

/// A path in the temporary folder; what lies there goes with this object.
final class ScratchFile {
  let path: String

  init(_ suffix: String, _ content: [UInt8]? = nil) throws {
    path =
      FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString)\(suffix)").path
    if let content { try Data(content).write(to: URL(fileURLWithPath: path)) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
}
