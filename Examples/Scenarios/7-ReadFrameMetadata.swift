import Reactor
import Synchronization

/// Read what the model says about each frame: its number, its time, its tag.
enum ReadFrameMetadata {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let reactor = try await surroundings.client()
    let frames = Tally()
    let newest = Mutex((id: UInt64(0), time: UInt64(0), tag: ""))
    let subscription = try reactor.track("main_video").onRawFrame { frame in
      guard frame.frameID > 0 else { return }
      let tag = frame.userData.map { String(decoding: $0, as: UTF8.self) } ?? ""
      let (id, time) = (frame.frameID, frame.captureTimeUs)
      newest.withLock { $0 = (id, time, tag) }
      frames.add()
    }
    defer { subscription.cancel() }

    try await reactor.connect()
    guard try await frames.reaches(10) else { throw ScenarioError("no frame carried metadata") }
    try await reactor.disconnect()
    let frame = newest.withLock { $0 }
    return "frame \(frame.id), captured at \(frame.time) us, tag \(frame.tag)"
  }
}
