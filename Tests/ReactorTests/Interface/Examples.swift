// Made by Scripts/generate-interface-tests from the usage examples of Fixtures/API/swift-api.md. Do not edit.
import Foundation
import Reactor

enum InterfaceExamples {
  static func example1() async throws {
    let reactor = try await Reactor(
      model: "reactor/helios", apiKey: key, options: .init(models: ["reactor/helios"]))
    let frames = try reactor.track("main_video").onFrame { frame in
      render(frame.pixels, frame.width, frame.height)
    }
    try await reactor.connect()
    try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    try await reactor.sendCommand("start")
    _ = reactor
    _ = frames
  }
}
