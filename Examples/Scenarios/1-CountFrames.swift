import Reactor

/// Connect, send the first command, count frames.
enum CountFrames {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let reactor = try await surroundings.client()
    let frames = Tally()
    // Handlers can be registered before the session exists, so that no frame is missed.
    let subscription = try reactor.track("main_video").onRawFrame { _ in frames.add() }
    defer { subscription.cancel() }

    try await reactor.connect()
    let reply = try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    try await Task.sleep(for: .seconds(surroundings.seconds))
    guard try await frames.reaches(1) else { throw ScenarioError("no frame came") }
    try await reactor.disconnect()
    return "\(frames.count) frames; set_prompt was answered with \(reply?.type ?? "nothing")"
  }
}
