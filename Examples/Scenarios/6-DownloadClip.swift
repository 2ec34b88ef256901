import Foundation
import Reactor

/// Request a clip of the last seconds and download it as an MP4 file.
enum DownloadClip {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let reactor = try await surroundings.client()
    try await reactor.connect()
    do {
      try await Task.sleep(for: .seconds(surroundings.seconds))
      let clip = try await reactor.requestClip(.seconds(2))
      let file = FileManager.default.temporaryDirectory.appending(path: "reactor-clip.mp4")
      let result = try await reactor.download(clip, to: file)
      try await reactor.disconnect()
      return "\(result.bytes) bytes in \(result.path.path)"
    } catch ReactorError.recorderDisabled {
      try await reactor.disconnect()
      return "this runtime records nothing"
    }
  }
}
