import Foundation
import Reactor

/// Upload a file and use it in a command.
enum UploadFile {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString).png")
    try Data(repeating: 7, count: 50_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    let reactor = try await surroundings.client()
    try await reactor.connect()
    let image = try await reactor.uploadFile(at: file)
    let reply = try await reactor.sendCommand("set_image", ["strength": 0.5], uploads: ["image": image])
    try await reactor.disconnect()
    return
      "\(image.mimeType), \(image.size) bytes; the model saw \(reply?.data?["size"]?.intValue ?? 0) bytes"
  }
}
