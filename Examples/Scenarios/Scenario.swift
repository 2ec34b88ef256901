/// One of the scenarios that every SDK of the platform can run.
package struct Scenario: Sendable {
  package let title: String
  /// Runs it and says in a line what happened.
  package let run: @Sendable (Surroundings) async throws -> String

  package static let all: [Scenario] = [
    Scenario(title: "connect, send the first command, count frames", run: CountFrames.run),
    Scenario(title: "upload a file and use it", run: UploadFile.run),
    Scenario(title: "pause and resume a track", run: PauseAndResume.run),
    Scenario(title: "publish and push tagged frames", run: PushTaggedFrames.run),
    Scenario(title: "two clients on one session", run: TwoClients.run),
    Scenario(title: "request a clip and download it", run: DownloadClip.run),
    Scenario(title: "read the frame metadata", run: ReadFrameMetadata.run),
  ]
}
