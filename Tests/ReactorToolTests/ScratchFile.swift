import Foundation

/// A path in the temporary folder, to be removed when it is done with.
struct ScratchFile {
  let path: String

  init(_ suffix: String, _ content: [UInt8]? = nil) throws {
    path =
      FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString)\(suffix)").path
    if let content { try Data(content).write(to: URL(fileURLWithPath: path)) }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
}
