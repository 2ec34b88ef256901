import Foundation
import Reactor

/// Publish a camera, push frames that carry a tag, and see them come back.
enum PushTaggedFrames {
  @Sendable static func run(_ surroundings: Surroundings) async throws -> String {
    let reactor = try await surroundings.client()
    let echoes = Tally()
    let subscription = try reactor.track("main_video").onFrame { (frame: VideoFrame) in
      guard let tag = frame.userData else { return }
      if String(decoding: tag, as: UTF8.self).hasPrefix("frame ") { echoes.add() }
    }
    defer { subscription.cancel() }

    try await reactor.connect()
    let camera = try reactor.track("camera")
    try await camera.publish()
    var pushed = 0
    let end = ContinuousClock.now + .seconds(surroundings.seconds)
    while ContinuousClock.now < end || echoes.count == 0 {
      guard pushed < 1000 else { throw ScenarioError("no tagged frame came back") }
      // BGRA: a grey that gets brighter.
      let pixels = Data(repeating: UInt8(pushed & 255), count: 320 * 180 * 4)
      try camera.pushFrame(pixels, width: 320, height: 180, userData: Data("frame \(pushed)".utf8))
      pushed += 1
      try await Task.sleep(for: .milliseconds(33))
    }
    try camera.unpublish()
    try await reactor.disconnect()
    return "\(pushed) frames pushed, \(echoes.count) came back with their tags"
  }
}
