import Foundation
import Reactor

/// What is sent, and how it comes back.
extension RuntimeDrive {
  func media(_ reactor: Reactor, _ observer: Observer) async {
    await runner.step("camera") { try await camera(reactor, observer) }
    await runner.step("colours") { try await colours(reactor, observer) }
    await runner.step("mic") { try await mic(reactor, observer) }
    await runner.step("stats") { try await statistics(reactor) }
    await runner.step("pause and resume") { try await pause(reactor, observer) }
  }

  private func camera(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    try await publishAndPush(reactor, count: 90)
    try await Task.sleep(for: .milliseconds(300))
    let echoes = observer.pictures.filter(\.isEcho)
    let tags = Set(echoes.compactMap(\.tag).filter { $0.hasPrefix("seq=") })
    try expect(echoes.count > 20, "\(echoes.count) pictures came back")
    try expect(!generation.tagsFrames || tags.count > 20, "\(tags.count) tags came back")
    // Left of the drawn line the picture has its plain colour.
    let plain = echoes.last?.line.last ?? SIMD3(0, 0, 0)
    try expect(
      abs(Int(plain.x) - 120) < 16 && abs(Int(plain.y) - 60) < 16 && abs(Int(plain.z) - 40) < 16,
      "the colour came back as \(plain)")
    let seen = try await generation.ask(reactor, observer, "get_stats", answer: "stats")
    try expect(seen["camera_width"] == 640, "\(seen)")
    let model = seen["camera_frames"]?.intValue ?? 0
    return "90 pushed, the model saw \(model), \(echoes.count) came back with \(tags.count) tags"
  }

  /// A picture of one colour with a line in it that moves.
  private func publishAndPush(_ reactor: Reactor, count: Int) async throws {
    let width = 640
    let height = 360
    let track = try reactor.track("camera")
    try await track.publish()
    try expect(track.published, "it is not published")
    var pixels = Data(count: width * height * 4)
    pixels.withUnsafeMutableBytes { $0.storeBytes(repeating: [120, 60, 40, 255], pixels: width * height) }
    var due = ContinuousClock.now
    for number in 0..<count {
      let from = (height / 2 * width + number * 5) * 4
      pixels.replaceSubrange(from..<from + 240, with: Data(repeating: UInt8(80 + number), count: 240))
      try track.pushFrame(
        pixels, width: UInt32(width), height: UInt32(height), userData: Data("seq=\(number)".utf8),
        captureTimeUs: Reactor.timeMicros())
      due += .microseconds(33_333)
      try await Task.sleep(until: due, clock: .continuous)
    }
  }

  /// After a reconnect nothing is published, and everything can be again.
  func publishAgain(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    try expect(try !reactor.track("camera").published, "the camera is still published")
    let before = observer.pictureCount
    try await publishAndPush(reactor, count: 45)
    let isBack = await eventually(.seconds(5)) { observer.pictures.last?.isEcho == true }
    try expect(isBack, "of \(observer.pictureCount - before) pictures none is an echo")
    return "the echo is back"
  }

  private func mic(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    let track = try reactor.track("mic")
    try await track.publish()
    var due = ContinuousClock.now
    for block in 0..<125 {
      let samples = (0..<960).map { index in
        Int16(sin(Double(block * 960 + index) * 2 * .pi * 1000 / 48_000) * 9000)
      }
      try track.pushFrame(samples, sampleRate: 48_000)
      due += .milliseconds(20)
      try await Task.sleep(until: due, clock: .continuous)
    }
    let sound = Array(observer.sound.suffix(72_000))
    let windows = stride(from: 0, to: sound.count - 2399, by: 2400).map {
      frequency(of: sound[$0..<$0 + 2400])
    }
    let right = windows.count { abs($0 - 1000) < 20 }
    try expect(
      right * 10 >= windows.count * 6, "heard \(windows.map { Int($0) })")
    let heard = try await generation.ask(reactor, observer, "get_stats", answer: "stats")
    let samples = heard["mic_samples"]?.intValue ?? 0
    try expect(samples > 72_000, "the model heard \(samples) samples")
    return "the model heard \(samples) samples; 1000 Hz in \(right) of \(windows.count) windows"
  }

  private func pause(_ reactor: Reactor, _ observer: Observer) async throws -> String {
    let track = try reactor.track("main_video")
    try await track.pause()
    try expect(reactor.pausedTracks == ["main_video"] && track.paused, "paused: \(reactor.pausedTracks)")
    try await Task.sleep(for: .milliseconds(500))
    let before = observer.pictureCount
    try await Task.sleep(for: .seconds(1))
    let came = observer.pictureCount - before
    try expect(came == 0, "\(came) frames came meanwhile")
    let began = ContinuousClock.now
    try await track.resume()
    let flow = await eventually(.seconds(10)) { observer.pictureCount > before + 5 }
    try expect(flow && !track.paused, "no frames after it")
    return "six frames \(Int((ContinuousClock.now - began) / .milliseconds(1))) ms after it"
  }

  private func statistics(_ reactor: Reactor) async throws -> String {
    _ = try await reactor.stats()
    try await Task.sleep(for: .seconds(1))
    let stats = try await reactor.stats()
    try expect(stats.inbound.count == 2, "\(stats.inbound.count) inbound streams")
    try expect(stats.outbound.count == 2, "\(stats.outbound.count) outbound streams")
    try expect(stats.candidatePairState == "succeeded", "\(stats.candidatePairState ?? "-")")
    try expect((stats.rttMS ?? -1) >= 0, "no round-trip time")
    try expect((stats.incomingBitrateBPS ?? 0) > 50_000, "incoming \(stats.incomingBitrateBPS ?? 0) b/s")
    let video = stats.inbound.first { $0.kind == "video" }
    try expect(video?.frameWidth == 640 && video?.framesDecoded ?? 0 > 0, "\(String(describing: video))")
    return "\(stats.candidateType ?? "-"), rtt \(String(format: "%.1f", stats.rttMS ?? -1)) ms, "
      + "in \(Int(stats.incomingBitrateBPS ?? 0) / 1000) kb/s, lost \(stats.packetsLost)"
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Fills the picture with one BGRA colour.
  fileprivate func storeBytes(repeating colour: [UInt8], pixels: Int) {
    for pixel in 0..<pixels {
      for (offset, value) in colour.enumerated() { self[pixel * 4 + offset] = value }
    }
  }
}
