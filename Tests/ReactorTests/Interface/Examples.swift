// Made by Scripts/generate-interface-tests from the documentation's examples. Do not edit.
import Foundation
import Reactor
import ReactorLocalRuntime

enum DocumentedExamples {
  // Fixtures/API/swift-api.md
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

  // README.md
  static func example2() async throws {

    let reactor = try await Reactor(model: "acme/world", apiKey: key)
    let frames = try reactor.track("main_video").onFrame { frame in
      show(frame.pixels, frame.width, frame.height)
    }
    try await reactor.connect()
    try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    _ = reactor
    _ = frames
  }

  // Sources/Reactor/Reactor.swift
  static func example3() async throws {
    let reactor = try await Reactor(model: "acme/world", apiKey: key)
    let frames = try reactor.track("main_video").onFrame { frame in show(frame) }
    try await reactor.connect()
    try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    _ = reactor
    _ = frames
  }

  // Sources/ReactorTypes/Streams/StreamScope.swift
  static func example4(_ reactor: Reactor) async throws {
    let scope = reactor.messageScope()
    defer { scope.close() }
    for try await message in scope { print(message) }
    _ = scope
  }

  // Sources/ReactorLocalRuntime/LocalRuntime.swift
  static func example5() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
    try await reactor.connect()
    _ = runtime
    _ = reactor
  }
}
