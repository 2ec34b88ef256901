import Foundation
import Reactor

/// Drives the public runtime through everything the SDK can do with it.
struct RuntimeDrive: Sendable {
  let generation: RuntimeGeneration
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
    guard await runner.step("connect", { try await connect(reactor, observer) }) else { return false }
    await runner.step("receive video and audio") { try await receive(observer) }
    await commands(reactor, observer)
    await runner.step("upload a file of 64 MiB") { try await upload(reactor, observer) }
    await media(reactor, observer)
    await runner.step("clip") { try await clip(reactor) }
    await runner.step("second client") { try await secondClient(beside: reactor) }
    await runner.step("reconnect while frames flow") { try await reconnect(reactor, observer) }
    await runner.step("publish again after it") { try await publishAgain(reactor, observer) }
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

  private func connect(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    try await reactor.connect()
    try expect(reactor.status == .ready, "status is \(reactor.status)")
    let names = reactor.tracks.map(\.name)
    try expect(Set(names) == ["main_video", "main_audio", "camera", "mic"], "tracks \(names)")
    let answer = try await generation.ask(
      reactor, observer, "set_prompt", ["prompt": "a red fox, größer 🦊"], answer: "prompt_accepted")
    try expect(answer["prompt"] == "a red fox, größer 🦊", "\(answer)")
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
    let tagged = generation.tagsFrames ? pictures.count : 0
    try expect(indices.count == tagged, "\(indices.count) of \(pictures.count) frames are tagged")
    try expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }, "tags go back: \(indices)")
    let colours = Set(pictures.flatMap(\.line).map { $0 / 32 })
    try expect(colours.count >= 6, "\(colours.count) colours")
    try expect(pictures.first?.line != pictures.last?.line, "the picture stands still")
    // A runtime that has just begun may not keep its own pace yet.
    let clean = await eventually(.seconds(30)) {
      let sound = observer.sound.suffix(48_000)
      return sound.count == 48_000 && abs(frequency(of: sound) - 440) < 8.8
    }
    let sound = observer.sound.suffix(48_000)
    let tone = frequency(of: sound)
    try expect(clean, "the tone has \(tone) Hz, of \(sound.count) samples")
    let loud = sound.map { abs(Int($0)) }.max() ?? 0
    try expect(loud > 4000, "the loudest sample is \(loud)")
    return "\(count) frames, \(colours.count) colours, \(String(format: "%.1f", tone)) Hz"
  }

  private func upload(_ reactor: Reactor, _ observer: Observer) async throws -> String {
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
    let answer = try await generation.ask(
      reactor, observer, "set_image", ["strength": 0.25], uploads: ["image": reference],
      answer: "image_accepted")
    try expect(answer["sha256"]?.stringValue == String(sum), "\(answer)")
    try expect(rise < 16, "resident memory rose by \(rise) MiB")
    return "resident memory rose by \(rise) MiB"
  }

  private func secondClient(beside reactor: Reactor) async throws -> String {
    let camera = try reactor.track("camera")
    if !camera.published { try await camera.publish() }
    let (second, observer) = try client()
    try await second.connect(sessionID: reactor.sessionID)
    try expect(second.status == .ready, "\(second.status)")
    let seen = await eventually(.seconds(10)) { observer.pictureCount >= 5 }
    try expect(seen, "the second client got \(observer.pictureCount) frames")
    let code = try await errorCode { try await second.track("camera").publish() }
    try expect(code == generation.publishRefusal, "publish failed with \(code)")
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
    _ = try await generation.ask(
      reactor, observer, "set_prompt", ["prompt": "again"], answer: "prompt_accepted")
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
}
