import Reactor
import Synchronization

enum RunCommand {
  static func run(_ arguments: [String]) async throws {
    let options = try CommandLineOptions(
      arguments,
      known: [
        .init("model", value: "NAME", help: "the model"), .init("local", help: "a local runtime"),
        .init("api-url", value: "URL", help: "where the platform listens"),
        .init("seconds", value: "N", help: "how long"), .init("push", value: "pattern", help: "what to push"),
      ])
    let reactor = try Reactor(
      model: options.text("model") ?? "peer", apiURL: options.text("api-url") ?? Reactor.defaultAPIURL,
      local: options.has("local"))
    let start = ContinuousClock.now
    @Sendable func log(_ text: String) { print("\(start.duration(to: .now)) \(text)") }
    ReactorLog.setHandler { log($0.message) }
    let frames = Mutex((video: 0, audio: 0))
    let subscriptions = [
      reactor.onMessage { log("message \($0)") }, reactor.onError { log("error \($0)") },
      try reactor.track("main_video").onRawFrame { frame in
        let count = frames.withLock {
          $0.video += 1; return $0.video
        }
        if count <= 2 || count % 30 == 0 {
          let tag = frame.userData.map { String(decoding: $0, as: UTF8.self) } ?? ""
          log("frame \(count) \(frame.width)x\(frame.height) id \(frame.frameID) \(tag)")
        }
      },
      try reactor.track("main_audio").onFrame { (_: AudioFrame) in
        let count = frames.withLock {
          $0.audio += 1; return $0.audio
        }
        if count % 100 == 1 { log("audio \(count)") }
      },
    ]
    try await reactor.connect()
    log("ready")
    if options.has("push") {
      let camera = try reactor.track("camera")
      try await camera.publish()
      log("published")
      let (width, height) = (640, 360)
      let push = Task {
        var index = 0
        while !Task.isCancelled {
          var pixels = [UInt8](repeating: 255, count: width * height * 4)
          for row in 0..<height {
            for column in 0..<width {
              let at = (row * width + column) * 4
              pixels[at] = UInt8((column + index * 4) & 255); pixels[at + 1] = UInt8(row & 255);
              pixels[at + 2] = 40
            }
          }
          try pixels.withUnsafeBytes { try camera.pushFrame($0, width: 640, height: 360) }
          index += 1
          try await Task.sleep(for: .milliseconds(33))
        }
      }
      try await Task.sleep(for: .seconds(4))
      push.cancel()
    }
    let reply = try await reactor.sendCommand("get_stats")
    log("reply \(String(describing: reply))")
    try await Task.sleep(for: .seconds(options.number("seconds", in: 0...1e6) ?? 3))
    let stats = try await reactor.stats()
    log("in \(stats.inbound)")
    log("out \(stats.outbound)")
    log("rtt \(stats.rttMS ?? -1) available \(stats.availableOutgoingBitrateBPS ?? -1)")
    log("frames \(frames.withLock { $0 })")
    try await reactor.disconnect()
    withExtendedLifetime(subscriptions) {}
  }
}
