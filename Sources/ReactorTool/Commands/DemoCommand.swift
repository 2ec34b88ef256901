import Foundation
import Reactor
import ReactorLocalRuntime
import ReactorToolSupport

/// The whole product in a few seconds, on this machine alone.
enum DemoCommand: Command {
  static let description = CommandDescription(
    name: "demo", summary: "shows video both ways with a runtime in this process; needs nothing",
    discussion: """
      Starts a local runtime with its echo model, connects to it over HTTP and WebRTC
      on loopback, receives its picture and sound, sends a command, pushes a moving
      pattern and receives that back with the model's mark (a green corner).
      Succeeds only if pictures came, the command was answered and the echo came back.
      """,
    options: [
      .init("seconds", value: "N", help: "how long to push (default 5)"),
      .init("snapshot", value: "FILE", help: "the last picture as PNG (default ./reactor-demo.png)"),
      .init("json", help: "the summary as one JSON object"),
    ],
    examples: ["reactor demo", "reactor demo --seconds 20 --snapshot /tmp/last.png"])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    let seconds = try options.number("seconds", in: 1...3600) ?? 5
    let path = options.text("snapshot") ?? "./reactor-demo.png"
    let runtime = try LocalRuntime(model: EchoModel())
    if !console.isJSON { console.line("The runtime listens on \(runtime.url), with model reactor/echo.") }
    do {
      let outcome = try await session(with: runtime, seconds: seconds, console: console)
      await Ending.stop(runtime)
      return try report(outcome, snapshot: path, console: console)
    } catch {
      await Ending.stop(runtime)
      throw error
    }
  }

  private struct Outcome {
    var connectMilliseconds: Double
    var ownFrames = 0
    var reply: CommandReply?
    var replyMilliseconds: Double?
    var pushed = 0
    var figures = ReceivedMedia.Figures()
    var stats: ConnectionStats?
  }

  private static func session(
    with runtime: LocalRuntime, seconds: Double, console: Console
  ) async throws -> Outcome {
    let reactor = try Reactor(model: "reactor/echo", apiURL: runtime.url, local: true)
    let media = ReceivedMedia()
    let subscriptions = [
      try reactor.track("main_video").onFrame { (frame: VideoFrame) in media.take(frame) },
      try reactor.track("main_audio").onFrame { (sound: AudioFrame) in media.take(sound) },
    ]
    defer { for subscription in subscriptions { subscription.cancel() } }
    let start = ContinuousClock.now
    do {
      try await reactor.connect()
      var outcome = Outcome(connectMilliseconds: milliseconds(since: start))
      if !console.isJSON {
        console.line("Connected in \(Figures.milliseconds(outcome.connectMilliseconds)).")
      }
      try await watch(reactor, media, nil, for: 2, console: console)
      outcome.ownFrames = media.figures.frames
      let asked = ContinuousClock.now
      outcome.reply = try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
      outcome.replyMilliseconds = milliseconds(since: asked)
      if !console.isJSON {
        console.line(
          "set_prompt was answered with \(outcome.reply?.type ?? "nothing") in "
            + "\(Figures.milliseconds(outcome.replyMilliseconds)).")
      }
      let camera = try reactor.track("camera")
      try await camera.publish()
      let push = VideoPush(PatternSource(), to: camera)
      try await watch(reactor, media, push, for: seconds, console: console)
      push.stop()
      outcome.pushed = push.pushed
      outcome.stats = try? await reactor.stats()
      // The newest picture is the echo as long as the camera is published: the snapshot shows what came back.
      outcome.figures = media.figures
      await Ending.leave(reactor)
      return outcome
    } catch {
      await Ending.leave(reactor)
      throw error
    }
  }

  /// Shows live figures for so many seconds.
  private static func watch(
    _ reactor: Reactor, _ media: ReceivedMedia, _ push: VideoPush?, for seconds: Double, console: Console
  ) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(200))
      let figures = media.figures
      let stats = try? await reactor.stats()
      var text = "in: \(figures.size) \(figures.framesPerSecond)/s "
      text += "\(Figures.bitrate(stats?.incomingBitrateBPS)), \(figures.frames) pictures"
      if let push {
        text += " | out: \(push.pushed) pushed \(Figures.bitrate(stats?.outgoingBitrateBPS))"
        text +=
          " | \(figures.echoes) echoed, \(Figures.milliseconds(figures.echoMilliseconds)) there and back"
      } else {
        text += " | sound: \(figures.soundBlocks) blocks"
      }
      console.update(text)
    }
    console.settle()
  }

  private static func report(
    _ outcome: Outcome, snapshot path: String, console: Console
  ) throws -> ToolStatus {
    let figures = outcome.figures
    let isAnswered = outcome.reply?.type == "prompt_accepted"
    let isEchoed = figures.echoes > 0 && figures.markedEchoes > 0
    if let newest = figures.newest {
      try PNGImage.write(
        [UInt8](newest.pixels), width: Int(newest.width), height: Int(newest.height), to: path)
    }
    let isSuccess = outcome.ownFrames > 0 && isAnswered && isEchoed
    func tick(_ isDone: Bool) -> String { isDone ? "ok  " : "FAIL" }
    var lines = [
      "\(tick(outcome.ownFrames > 0)) \(outcome.ownFrames) pictures and \(figures.soundBlocks) blocks of sound "
        + "received from the model",
      "\(tick(isAnswered)) command answered in \(Figures.milliseconds(outcome.replyMilliseconds))",
      "\(tick(isEchoed)) \(outcome.pushed) pictures pushed, \(figures.echoes) came back, "
        + "\(figures.markedEchoes) with the model's mark",
    ]
    if let stats = outcome.stats {
      let loss = "\(stats.packetsLost) of \(stats.packetsReceived) packets lost"
      lines.append("     \(loss), round trip \(Figures.milliseconds(stats.rttMS))")
    }
    lines.append(figures.newest == nil ? "     no picture to save" : "     the last picture is in \(path)")
    console.event(
      "summary",
      [
        "ok": .bool(isSuccess), "connect_ms": .number(outcome.connectMilliseconds),
        "frames": .field(figures.frames), "sound_blocks": .field(figures.soundBlocks),
        "command_answered": .bool(isAnswered), "pushed": .field(outcome.pushed),
        "echoed": .field(figures.echoes), "marked": .field(figures.markedEchoes),
        "echo_ms": .field(figures.echoMilliseconds),
        "snapshot": .field(figures.newest == nil ? nil : path),
      ],
      words: lines.joined(separator: "\n"))
    return isSuccess ? .success : .failure
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds) * 1e-15
  }
}
