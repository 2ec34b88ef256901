import Foundation
import Reactor

/// Drives the public runtime through everything the SDK can do with it.
struct RuntimeDrive: Sendable {
  let url: String
  /// The runtime's process group, when it may be killed in the end.
  let processGroup: pid_t?
  let runner = StepRunner()

  func client() throws -> (Reactor, Observer) {
    let reactor = try Reactor(model: "peer", apiURL: url, local: true)
    return (reactor, try Observer(reactor))
  }

  func run() async throws -> Bool {
    let (reactor, observer) = try client()
    guard await runner.step("connect", { try await connect(reactor) }) else { return false }
    await runner.step("receive video and audio") { try await receive(observer) }
    await commands(reactor)
    await runner.step("upload a file of 64 MiB") { try await upload(reactor) }
    await media(reactor, observer)
    await runner.step("clip") { try await clip(reactor) }
    await runner.step("second client") { try await secondClient(beside: reactor) }
    await runner.step("reconnect while frames flow") { try await reconnect(reactor, observer) }
    await runner.step("disconnect") {
      try await reactor.disconnect()
      try expect(reactor.status == .disconnected && reactor.sessionID == nil, "\(reactor.status)")
      return "\(observer.statuses.map(\.rawValue))"
    }
    try expect(observer.errors.isEmpty, "errors reported: \(observer.errors)")
    reactor.close()
    await runner.step("runtime ends the session") { try await stopped() }
    if let processGroup {
      await runner.step("runtime is killed") { try await killed(processGroup) }
    } else {
      say("skipped  runtime is killed: its process group was not named")
    }
    return runner.failures == 0
  }

  // MARK: Steps

  private func connect(_ reactor: Reactor) async throws -> String {
    try await reactor.connect()
    try expect(reactor.status == .ready, "status is \(reactor.status)")
    let names = reactor.tracks.map(\.name)
    try expect(Set(names) == ["main_video", "main_audio", "camera", "mic"], "tracks \(names)")
    let reply = try await reactor.sendCommand("set_prompt", ["prompt": "a red fox, größer 🦊"])
    try expect(reply?.type == "prompt_accepted", "\(String(describing: reply))")
    try expect(reply?.data?["prompt"] == "a red fox, größer 🦊", "\(String(describing: reply))")
    return "tracks \(names)"
  }

  private func receive(_ observer: Observer) async throws -> String {
    let began = observer.pictureCount
    try await Task.sleep(for: .seconds(3))
    let pictures = observer.pictures
    let count = observer.pictureCount - began
    try expect(count > 45, "\(count) frames in 3 s")
    let indices = pictures.compactMap { picture in
      picture.tag.flatMap { try? JSONDecoder().decode([String: Int].self, from: Data($0.utf8))["index"] }
    }
    try expect(indices.count == pictures.count, "\(indices.count) of \(pictures.count) frames are tagged")
    try expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }, "tags go back: \(indices)")
    let colours = Set(pictures.flatMap(\.line).map { $0 / 32 })
    try expect(colours.count >= 6, "\(colours.count) colours")
    try expect(pictures.first?.line != pictures.last?.line, "the picture stands still")
    let sound = observer.sound.suffix(48_000)
    try expect(sound.count == 48_000, "\(sound.count) samples in 3 s")
    let tone = frequency(of: sound)
    try expect(abs(tone - 440) < 8.8, "the tone has \(tone) Hz")
    let loud = sound.map { abs(Int($0)) }.max() ?? 0
    try expect(loud > 4000, "the loudest sample is \(loud)")
    return "\(count) frames, \(colours.count) colours, \(String(format: "%.1f", tone)) Hz"
  }

  private func commands(_ reactor: Reactor) async {
    await runner.step("command without a body") {
      let reply = try await reactor.sendCommand("set_brightness", ["brightness": 0.9])
      try expect(reply == nil, "\(String(describing: reply))")
      return "no reply"
    }
    for (step, name, arguments, code) in [
      ("unknown command", "no_such_command", [:], "invalid_command"),
      ("invalid argument", "set_brightness", ["brightness": 7], "invalid_command"),
      ("command that fails", "fail", ["reason": "because"], "peer_failed"),
      ("command that crashes", "crash", [:], "internal_error"),
    ] as [(String, String, JSONValue, String)] {
      await runner.step(step) {
        let found = try await errorCode { try await reactor.sendCommand(name, arguments) }
        try expect(found == code, "refused with \(found), not \(code)")
        return found
      }
    }
    await runner.step("command of 1 MB both ways") {
      let text = String(repeating: "0123456789", count: 100_000)
      let reply = try await reactor.sendCommand(
        "echo", ["text": .string(text), "items": [1, "two", nil, [3]]])
      try expect(reply?.data?["text"]?.stringValue == text, "the text came back changed")
      try expect(reply?.data?["items"] == [1, "two", nil, [3]], "the list came back changed")
      return "\(text.utf8.count) bytes"
    }
    await runner.step("schema") {
      let schema = try await reactor.requestSchema()
      let paths = schema["paths"]?.objectValue ?? [:]
      try expect(paths["/events/set_prompt"] != nil, "paths \(paths.keys.sorted())")
      return "\(paths.count) paths"
    }
  }

  private func upload(_ reactor: Reactor) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try output(of: "dd", ["if=/dev/urandom", "of=\(file.path)", "bs=1M", "count=64", "status=none"])
    let sum = try output(of: "sha256sum", [file.path]).prefix(64)
    let before = try residentKiB()
    let watching = Task { () -> Int in
      var peak = 0
      while !Task.isCancelled {
        peak = max(peak, try residentKiB())
        try? await Task.sleep(for: .milliseconds(20))
      }
      return peak
    }
    let reference: FileRef
    do {
      reference = try await reactor.uploadFile(at: file)
    } catch {
      watching.cancel()
      throw error
    }
    watching.cancel()
    let rise = (try await watching.value - before) / 1024
    try expect(reference.size == 64 << 20, "its size is \(reference.size)")
    let reply = try await reactor.sendCommand("set_image", ["strength": 0.25], uploads: ["image": reference])
    try expect(reply?.type == "image_accepted", "\(String(describing: reply))")
    try expect(reply?.data?["sha256"]?.stringValue == String(sum), "\(String(describing: reply?.data))")
    try expect(rise < 16, "resident memory rose by \(rise) MiB")
    return "resident memory rose by \(rise) MiB"
  }

  private func secondClient(beside reactor: Reactor) async throws -> String {
    let camera = try reactor.track("camera")
    if !camera.published { try await camera.publish() }
    let (second, observer) = try client()
    try await second.connect(sessionID: "00000000-0000-0000-0000-000000000000")
    try expect(second.status == .ready, "\(second.status)")
    let seen = await eventually(.seconds(10)) { observer.pictureCount >= 5 }
    try expect(seen, "the second client got \(observer.pictureCount) frames")
    let code = try await errorCode { try await second.track("camera").publish() }
    try expect(code == "publish_refused", "publish failed with \(code)")
    try await second.disconnect()
    second.close()
    try await Task.sleep(for: .milliseconds(300))
    try expect(reactor.status == .ready, "the first client is \(reactor.status)")
    return "\(observer.pictureCount) frames, \(code)"
  }

  private func reconnect(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    let session = reactor.sessionID
    let mids = reactor.tracks.map(\.mid)
    try await reactor.reconnect()
    try expect(reactor.status == .ready && reactor.sessionID == session, "\(reactor.status)")
    let before = observer.pictureCount
    let flow = await eventually(.seconds(10)) { observer.pictureCount > before + 5 }
    try expect(flow, "no frames after it")
    let reply = try await reactor.sendCommand("set_prompt", ["prompt": "again"])
    try expect(reply?.type == "prompt_accepted", "\(String(describing: reply))")
    return "mids \(mids.map { $0 ?? "-" }) then \(reactor.tracks.map { $0.mid ?? "-" })"
  }

  private func clip(_ reactor: Reactor) async throws -> String {
    let clip = try await reactor.requestClip(.seconds(2))
    let file = FileManager.default.temporaryDirectory.appending(path: "reactor-\(UUID().uuidString).mp4")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await reactor.download(clip, to: file)
    let data = try Data(contentsOf: file)
    try expect(data.count == result.bytes, "\(data.count) bytes of \(result.bytes)")
    try expect(data.dropFirst(4).prefix(4) == Data("ftyp".utf8), "it does not begin with ftyp")
    try expect(data.range(of: Data("moof".utf8)) != nil, "it has no moof")
    let probed = try? output(
      of: "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,nb_read_frames", "-count_frames", "-of", "csv=p=0",
        file.path,
      ])
    if let probed { try expect(probed.contains("h264") || probed.contains("vp"), "ffprobe says \(probed)") }
    let said = probed?.replacingOccurrences(of: "\n", with: " ") ?? "no ffprobe"
    return "\(result.bytes) bytes in \(result.segments) segments; \(said)"
  }

  /// Waits until the runtime has cleaned up after the session before: until then it starts none (409).
  private func available() async throws {
    let ready = try await eventually(.seconds(15)) {
      try output(of: "curl", ["-fsS", "\(url)/session"]).contains("\"state\":\"ready\"")
    }
    try expect(ready, "the runtime does not get ready again")
  }

  private func stopped() async throws -> String {
    try await available()
    let (reactor, observer) = try client()
    try await reactor.connect()
    _ = try output(
      of: "curl",
      [
        "-fsS", "-X", "POST", "-H", "Content-Type: application/json", "-d", "{\"reason\": \"maintenance\"}",
        "\(url)/stop_session",
      ])
    let left = await eventually(.seconds(10)) { reactor.status == .disconnected && !observer.errors.isEmpty }
    try expect(left, "the client is \(reactor.status), errors \(observer.errors)")
    let notice = observer.notices.first { $0["type"] == "sessionEnded" }
    try expect(notice?["data"]?["reason"] == "maintenance", "notices \(observer.notices)")
    reactor.close()
    return "\(observer.errors.map(\.message))"
  }

  private func killed(_ processGroup: pid_t) async throws -> String {
    try await available()
    let (reactor, observer) = try client()
    try await reactor.connect()
    let flow = await eventually(.seconds(10)) { observer.pictureCount > 5 }
    try expect(flow, "no frames before it")
    let began = ContinuousClock.now
    try expect(kill(-processGroup, SIGKILL) == 0, "it cannot be killed")
    let left = await eventually(.seconds(15)) { reactor.status == .disconnected && !observer.errors.isEmpty }
    try expect(left, "the client is \(reactor.status), errors \(observer.errors)")
    let took = ContinuousClock.now - began
    try expect(observer.errors.first?.code == .disconnected, "\(observer.errors)")
    try expect(took < .seconds(10), "it took \(took)")
    try expect(reactor.sessionID != nil, "the session is forgotten")
    reactor.close()
    return
      "noticed after \(took.formatted(.time(pattern: .minuteSecond(padMinuteToLength: 1, fractionalSecondsLength: 1))))"
  }
}
