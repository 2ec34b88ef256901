import Reactor

/// Pause a track, which saves its bandwidth, and resume it.
enum PauseAndResume {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let reactor = try await surroundings.client()
    let frames = Tally()
    let video = try reactor.track("main_video")
    let subscription = try video.onRawFrame { _ in frames.add() }
    defer { subscription.cancel() }

    try await reactor.connect()
    guard try await frames.reaches(5) else { throw ScenarioError("no frames came") }
    try await video.pause()
    // What was on its way still comes.
    try await Task.sleep(for: .milliseconds(700))
    let before = frames.count
    try await Task.sleep(for: .seconds(1))
    let during = frames.count - before
    try await video.resume()
    guard try await frames.reaches(before + during + 5) else {
      throw ScenarioError("no frames came after resuming")
    }
    try await reactor.disconnect()
    return "\(before) frames, \(during) in a second of pause, then \(frames.count - before - during) more"
  }
}
