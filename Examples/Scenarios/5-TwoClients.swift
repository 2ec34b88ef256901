import Reactor

/// Two clients on one session: the second adopts it by its id, and leaves without ending it.
enum TwoClients {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let first = try await surroundings.client()
    let second = try await surroundings.client()
    let frames = (first: Tally(), second: Tally())
    let subscriptions = [
      try first.track("main_video").onRawFrame { _ in frames.first.add() },
      try second.track("main_video").onRawFrame { _ in frames.second.add() },
    ]
    defer { for subscription in subscriptions { subscription.cancel() } }

    try await first.connect()
    try await second.connect(sessionID: first.sessionID)
    guard try await frames.first.reaches(5), try await frames.second.reaches(5) else {
      throw ScenarioError("one of the clients got no frames")
    }
    let isShared = first.sessionID == second.sessionID
    try await second.disconnect()
    guard first.status == .ready else { throw ScenarioError("the second client ended the session") }
    try await first.disconnect()
    return
      "\(isShared ? "one session" : "two sessions"), frames: \(frames.first.count), \(frames.second.count)"
  }
}
