import Foundation
import Reactor
import ReactorLocalRuntime
import Testing

/// Whole sessions with the embedded runtime, over HTTP and WebRTC on loopback.
@Suite(.serialized) struct LocalSessionTests {
  private func client(_ runtime: LocalRuntime) throws -> Reactor {
    try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
  }

  @Test func `connects, commands, receives frames and sound, and disconnects in the documented order`()
    async throws
  {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try client(runtime)
    let statuses = Log<ReactorStatus>()
    let order = Log<String>()
    let frames = Log<VideoFrame>()
    let sounds = Log<AudioFrame>()
    let subscriptions = [
      reactor.onStatus { status in
        statuses.add(status)
        order.add(status.rawValue)
      }, reactor.onSessionID { id in order.add(id == nil ? "session nil" : "session") },
      reactor.onCapabilities { _ in order.add("capabilities") },
      reactor.onTrack { order.add("track \($0.name)") },
      try reactor.track("main_video").onFrame { frame in frames.add(frame) },
      try reactor.track("main_audio").onFrame { (frame: AudioFrame) in sounds.add(frame) },
    ]
    try await reactor.connect()
    #expect(reactor.status == .ready)
    #expect(reactor.tracks.map(\.name) == ["main_video", "main_audio", "camera", "mic"])
    let reply = try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
    #expect(reply?.type == "prompt_accepted")
    #expect(reply?.data?["length"] == 9)
    #expect(try await reactor.sendCommand("set_brightness", ["brightness": 0.5]) == nil)
    #expect(await eventually { frames.count >= 5 && sounds.count >= 20 })
    let frame = try #require(frames.all.last)
    #expect((frame.width, frame.height) == (320, 180))
    #expect(frame.pixels.count == 320 * 180 * 4)
    #expect(frame.frameID > 0)
    #expect(frame.userData != nil)
    let sound = try #require(sounds.all.last)
    #expect(sound.sampleRate == 48_000 && sound.samples.count == 480 * Int(sound.channels))
    let stats = try await reactor.stats()
    #expect(stats.inbound.count == 2)
    #expect(stats.candidatePairState == "succeeded")
    try await reactor.disconnect()
    #expect(reactor.sessionID == nil)
    #expect(await eventually { order.all.last == "session nil" })
    #expect(
      order.all == [
        "connecting", "session", "waiting", "capabilities", "track main_video", "track main_audio", "ready",
        "disconnected", "session nil",
      ])
    withExtendedLifetime(subscriptions) {}
    await runtime.stop()
  }

  @Test func `refusals carry the runtime's and the model's own codes`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    await #expect(throws: ReactorError.self) { try await reactor.sendCommand("set_prompt") }
    try await reactor.connect()
    for (command, arguments, code) in [
      ("nonsense", [:], "invalid_command"), ("set_prompt", [:], "invalid_command"),
      ("set_prompt", ["prompt": 7], "invalid_command"), ("fail", ["reason": "no"], "echo_failed"),
    ] as [(String, JSONValue, String)] {
      do {
        try await reactor.sendCommand(command, arguments)
        Issue.record("\(command) was not refused")
      } catch let error as ReactorError {
        #expect(error.code.rawValue == code)
        #expect(error.operation == "send_command")
      }
    }
    do {
      _ = try await reactor.requestClip(.seconds(1))
      Issue.record("a clip was not refused")
    } catch ReactorError.recorderDisabled {}
    let schema = try await reactor.requestSchema()
    #expect(schema["paths"]?["/events/set_prompt"] != nil)
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `publishes, pushes tagged frames, and gets them back with the model's mark`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try client(runtime)
    let echoed = Log<VideoFrame>()
    let subscription = try reactor.track("main_video").onFrame { (frame: VideoFrame) in
      if frame.userData == Data("mine".utf8) { echoed.add(frame) }
    }
    try await reactor.connect()
    let camera = try reactor.track("camera")
    let pixels = Data(repeating: 90, count: 320 * 180 * 4)
    #expect(throws: ReactorError.self) { try camera.pushFrame(pixels, width: 320, height: 180) }
    try await camera.publish()
    try await camera.publish()
    #expect(camera.published)
    #expect(throws: ReactorError.self) { try camera.pushFrame(pixels, width: 320, height: 181) }
    #expect(
      await eventually {
        try? camera.pushFrame(
          pixels, width: 320, height: 180, userData: Data("mine".utf8), captureTimeUs: Reactor.timeMicros())
        try? await Task.sleep(for: .milliseconds(30))
        return echoed.count >= 3
      })
    let frame = try #require(echoed.all.last)
    let corner = ((180 - 8) * 320 + 320 - 8) * 4
    let center = (90 * 320 + 160) * 4
    #expect(frame.pixels[corner + 1] > 150 && frame.pixels[corner] < 80)
    #expect(abs(Int(frame.pixels[center]) - 90) <= 6)
    try camera.unpublish()
    #expect(!camera.published)
    try await reactor.disconnect()
    withExtendedLifetime(subscription) {}
    await runtime.stop()
  }

  @Test func `uploads bytes and files and uses them in a command`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    try await reactor.connect()
    let reference = try await reactor.uploadData(
      Data(repeating: 7, count: 5000), name: "a.png", mimeType: "image/png")
    #expect(reference.size == 5000)
    let reply = try await reactor.sendCommand("set_image", ["strength": 0.5], uploads: ["image": reference])
    #expect(reply?.data?["size"] == 5000)
    let file = FileManager.default.temporaryDirectory.appending(
      path: "reactor-upload-\(UUID().uuidString).bin")
    try Data(repeating: 1, count: 3_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let second = try await reactor.uploadFile(at: file)
    let answer = try await reactor.sendCommand("set_image", uploads: ["image": second])
    #expect(answer?.data?["size"] == 3_000_000)
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `large commands are chunked both ways`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    try await reactor.connect()
    let text = String(repeating: "0123456789", count: 400_000)
    let reply = try await reactor.sendCommand("echo", ["text": .string(text)])
    #expect(reply?.data?["text"]?.stringValue?.count == text.count)
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `pausing stops the frames and resuming brings them back`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try client(runtime)
    let frames = Log<UInt64>()
    let track = try reactor.track("main_video")
    let subscription = try track.onRawFrame { frames.add($0.frameID) }
    try await reactor.connect()
    #expect(await eventually { frames.count >= 3 })
    try await track.pause()
    #expect(track.paused)
    #expect(reactor.pausedTracks == ["main_video"])
    // What was on its way still comes; then the count stands still.
    #expect(
      await eventually {
        let before = frames.count
        try? await Task.sleep(for: .milliseconds(300))
        return frames.count == before
      })
    let before = frames.count
    try await track.resume()
    #expect(await eventually { frames.count > before + 3 })
    try await reactor.disconnect()
    withExtendedLifetime(subscription) {}
    await runtime.stop()
  }

  @Test func `a second client joins the session and the publisher's slot is taken`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let first = try client(runtime)
    let second = try client(runtime)
    try await first.connect()
    try await second.connect(sessionID: first.sessionID)
    #expect(await eventually { await runtime.clientCount == 2 })
    try await first.track("camera").publish()
    do {
      try await second.track("camera").publish()
      Issue.record("a taken slot was granted")
    } catch let error as ReactorError {
      #expect(error.code.rawValue == "publish_refused")
    }
    try await second.disconnect()
    #expect(first.status == .ready)
    try await first.disconnect()
    await runtime.stop()
  }

  @Test func `reconnects on the same session while frames flow`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try client(runtime)
    let frames = Log<UInt64>()
    let subscription = try reactor.track("main_video").onRawFrame { frames.add($0.frameID) }
    try await reactor.connect()
    let session = reactor.sessionID
    #expect(await eventually { frames.count >= 3 })
    try await reactor.reconnect()
    #expect(reactor.sessionID == session)
    let before = frames.count
    #expect(await eventually { frames.count > before + 3 })
    try await reactor.disconnect()
    withExtendedLifetime(subscription) {}
    await runtime.stop()
  }

  @Test func `what was published before a reconnect can be published again after it`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 320, height: 180))
    let reactor = try client(runtime)
    try await reactor.connect()
    let camera = try reactor.track("camera")
    for _ in 0..<2 {
      try await camera.publish()
      #expect(camera.published)
      try await reactor.reconnect()
      #expect(!camera.published)
    }
    try await camera.publish()
    #expect(camera.published)
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `a session that the runtime ends is reported with its reason`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    let notices = Log<JSONValue>()
    let errors = Log<ReactorError>()
    let subscriptions = [reactor.onRuntimeMessage { notices.add($0) }, reactor.onError { errors.add($0) }]
    try await reactor.connect()
    await runtime.endSession(reason: "maintenance")
    #expect(await eventually { reactor.status == .disconnected })
    #expect(await eventually { errors.count == 1 })
    #expect(notices.all.first?["type"] == "sessionEnded")
    #expect(errors.all.first?.code == .disconnected)
    #expect(errors.all.first?.message.contains("maintenance") == true)
    withExtendedLifetime(subscriptions) {}
    reactor.close()
    await runtime.stop()
  }

  @Test func `garbage on a channel disturbs nothing`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    try await reactor.connect()
    await runtime.sendGarbage()
    let reply = try await reactor.sendCommand("echo", ["text": "still here"])
    #expect(reply?.data?["text"] == "still here")
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `a cancelled connect ends the session that it created`() async throws {
    var configuration = LocalRuntimeConfiguration()
    configuration.faults.refusesOffers = true
    let runtime = try LocalRuntime(model: EchoModel(), configuration: configuration)
    let reactor = try client(runtime)
    let connecting = Task { try await reactor.connect() }
    #expect(await eventually { reactor.status == .waiting })
    connecting.cancel()
    do {
      try await connecting.value
      Issue.record("the connect went through")
    } catch ReactorError.aborted {}
    #expect(reactor.status == .disconnected)
    #expect(reactor.sessionID == nil)
    await runtime.setFaults(.init())
    try await reactor.connect()
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `closing settles calls in flight and is final`() async throws {
    let runtime = try LocalRuntime(model: EchoModel())
    let reactor = try client(runtime)
    try await reactor.connect()
    let track = try reactor.track("main_video")
    reactor.close()
    reactor.close()
    #expect(reactor.isClosed)
    #expect(reactor.status == .disconnected)
    await #expect(throws: ReactorError.self) { try await reactor.connect() }
    #expect(throws: ReactorError.self) { _ = try track.onRawFrame { _ in } }
    await runtime.stop()
  }

  @Test func `connecting right after a disconnect waits for the runtime to have closed`() async throws {
    var configuration = LocalRuntimeConfiguration()
    configuration.faults.closingTime = .milliseconds(150)
    let runtime = try LocalRuntime(model: EchoModel(), configuration: configuration)
    let reactor = try client(runtime)
    for _ in 0..<2 {
      try await reactor.connect()
      try await reactor.disconnect()
    }
    // A session that runs is another matter.
    try await reactor.connect()
    let other = try client(runtime)
    #expect(await failure { try await other.connect() }?.code == .conflict)
    try await reactor.disconnect()
    await runtime.stop()
  }

  @Test func `known tracks make the offer while the session starts, wrong ones are put right`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let first = try client(runtime)
    try await first.connect()
    let tracks = try #require(first.capabilities?.tracks)
    try await first.disconnect()
    for known in [tracks, tracks.reversed(), []] {
      var configuration = ReactorConfiguration()
      configuration.apiURL = runtime.url
      configuration.local = true
      configuration.knownTracks = known
      let reactor = try Reactor(model: "reactor/echo", tokens: nil, configuration: configuration)
      let frames = Log<UInt32>()
      let subscription = try reactor.track("main_video").onRawFrame { frames.add($0.width) }
      try await reactor.connect()
      #expect(reactor.tracks.map(\.name) == tracks.map(\.name))
      #expect(await eventually { frames.count >= 3 })
      #expect(await runtime.clientCount == 1)
      try await reactor.disconnect()
      withExtendedLifetime(subscription) {}
    }
    await runtime.stop()
  }

  @Test func `uploads and sessions under options of the app's own`() async throws {
    let runtime = try LocalRuntime(model: EchoModel(width: 64, height: 64))
    let reactor = try client(runtime)
    try await reactor.connect()
    var options = RequestOptions()
    options.headers = ["X-Trace": "1"]
    let file = try await reactor.uploadFile(
      at: URL(filePath: #filePath), name: "renamed.txt", mimeType: "text/markdown", options: options)
    #expect(file.name == "renamed.txt" && file.mimeType == "text/markdown")
    options.headers = ["Authorization": "mine"]
    let error = await failure {
      _ = try await reactor.uploadFile(at: URL(filePath: #filePath), name: nil, options: options)
    }
    #expect(error?.code == .badRequest)
    try await reactor.disconnect()
    await runtime.stop()
  }
}
