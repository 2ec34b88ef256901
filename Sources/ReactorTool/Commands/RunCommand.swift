import Foundation
import Reactor
import ReactorToolSupport

/// One session with a model.
enum RunCommand: Command {
  static let description = CommandDescription(
    name: "run", summary: "runs a model: shows its video, sends it commands, pushes video",
    discussion: """
      Connects, sends the commands in the order given, and shows what comes until the
      time is up, Ctrl-C, or the end of the session. A terminal with 24-bit colour shows
      the picture itself. A session that this command created is ended with it.

      Video goes in and out as YUV4MPEG2 files, which FFmpeg reads and writes:
      8-bit 4:2:0, any size, at the file's frame rate. Without --seconds a pushed file
      ends the run, a second after its last picture.
      """,
    options: SessionTarget.options + [
      .init("session", value: "ID", help: "joins this session instead of creating one"),
      .init("seconds", value: "N", help: "how long (default: until Ctrl-C)"),
      .init("command", value: "NAME", repeats: true, takesObject: true, help: "sends a command"),
      .init(
        "push", value: "FILE", help: "publishes the first video input and pushes a .y4m file, or: pattern"),
      .init("y4m", value: "FILE", help: "every picture that comes, in a .y4m file"),
      .init("y4m-fps", value: "N", help: "the frame rate that this file claims (default 30)"),
      .init("snapshot", value: "FILE", help: "the last picture as PNG"),
      .init("record", value: "FILE", help: "the session's recording as MP4, at the end"),
      .init("stats", help: "a line of statistics each second"),
      .init("no-preview", help: "no picture in the terminal"),
      .init("json", help: "JSON lines instead of words"),
    ],
    examples: [
      "reactor run --local --push pattern --seconds 5 --snapshot last.png",
      "reactor run --local --push in.y4m --y4m out.y4m",
      "reactor run --model reactor/helios --command set_prompt '{\"prompt\": \"a red fox\"}' --command start",
    ])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    let plan = try RunPlan(options, console: console)
    let reactor = try await plan.target.client()
    let media = ReceivedMedia()
    let subscriptions = observe(reactor, console)
    defer { for subscription in subscriptions { subscription.cancel() } }
    do {
      try await reactor.connect(sessionID: plan.sessionID)
      let receivers = try receive(reactor, media, plan.video)
      defer { for receiver in receivers { receiver.cancel() } }
      console.event(
        "ready", ["session_id": .field(reactor.sessionID)],
        words: "Ready: \(plan.target.model) with " + reactor.tracks.map(\.name).joined(separator: ", "))
      for (name, arguments) in plan.commands { try await send(name, arguments, to: reactor, console) }
      let push = try await publish(plan.source, reactor)
      let end = await SessionWatch(reactor, media, push, plan, console).untilTheEnd()
      push?.stop()
      // Ctrl-C has cancelled this task; what is asked of the session at its end is still to be done.
      let recording = await Task { await record(reactor, plan, console) }.value
      await Ending.leave(reactor)
      try finish(media.figures, push, plan, console)
      try recording.get()
      return try status(end, push, plan, console)
    } catch {
      await Ending.leave(reactor)
      throw error
    }
  }

  private static func observe(_ reactor: Reactor, _ console: Console) -> [Subscription] {
    [
      reactor.onStatus { status in
        console.event("status", ["status": .string(status.rawValue)], words: "status: \(status.rawValue)")
      },
      reactor.onMessage { message in
        console.event("message", ["message": message], words: "message: \(JSONText.compact(message))")
      },
      reactor.onRuntimeMessage { message in
        console.event("platform", ["message": message], words: "platform: \(JSONText.compact(message))")
      },
      reactor.onError { error in
        console.event(
          "error", ["code": .string(error.code.rawValue), "message": .string(error.message)],
          words: "error: \(error)")
      },
    ]
  }

  private static func receive(
    _ reactor: Reactor, _ media: ReceivedMedia, _ video: Y4MWriter?
  ) throws -> [Subscription] {
    var subscriptions: [Subscription] = []
    // One picture fits the screen: that of the first video track.
    if let track = reactor.tracks.withDirection(.recvonly).withKind(.video).first {
      subscriptions.append(try track.onFrame { (frame: VideoFrame) in media.take(frame) })
      if let video {
        subscriptions.append(
          try track.onRawFrame { frame in
            video.write(frame.pixels, width: Int(frame.width), height: Int(frame.height))
          })
      }
    }
    for audio in reactor.tracks.withDirection(.recvonly).withKind(.audio) {
      subscriptions.append(try audio.onFrame { (sound: AudioFrame) in media.take(sound) })
    }
    return subscriptions
  }

  private static func send(
    _ name: String, _ arguments: JSONValue?, to reactor: Reactor, _ console: Console
  ) async throws {
    let reply = try await reactor.sendCommand(name, arguments)
    let data = reply?.data.map { JSONText.compact($0) } ?? ""
    console.event(
      "reply", ["command": .string(name), "type": .field(reply?.type), "data": reply?.data ?? .null],
      words: "\(name): \(reply?.type ?? "done") \(data)")
  }

  private static func publish(_ source: (any PictureSource)?, _ reactor: Reactor) async throws -> VideoPush? {
    guard let source else { return nil }
    guard let track = reactor.tracks.withDirection(.sendonly).withKind(.video).first else {
      throw UsageError("this model takes no video, so there is nothing to --push to")
    }
    try await track.publish()
    return VideoPush(source, to: track)
  }

  /// The recording's failure is kept until everything else is done.
  private static func record(
    _ reactor: Reactor, _ plan: RunPlan, _ console: Console
  ) async -> Result<Void, any Error> {
    guard let path = plan.recordingPath else { return .success(()) }
    do {
      let clip = try await reactor.requestRecording()
      let result = try await reactor.download(clip, to: URL(fileURLWithPath: path))
      console.event(
        "recording", ["path": .string(path), "bytes": .field(result.bytes)],
        words: "the recording is in \(path): \(result.bytes) bytes in \(result.segments) segments")
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private static func finish(
    _ figures: ReceivedMedia.Figures, _ push: VideoPush?, _ plan: RunPlan, _ console: Console
  ) throws {
    console.settle()
    if let video = plan.video, let path = plan.videoPath {
      try FileFailure.naming(path) { try video.close() }
    }
    if let path = plan.snapshotPath {
      guard let newest = figures.newest else {
        throw ReactorError(.notFound, "no picture came, so there is no snapshot")
      }
      try PNGImage.write(
        [UInt8](newest.pixels), width: Int(newest.width), height: Int(newest.height), to: path)
    }
    var words = "\(figures.frames) pictures and \(figures.soundBlocks) blocks of sound received"
    if let push { words += ", \(push.pushed) pictures pushed" }
    if figures.echoes > 0 { words += ", \(figures.echoes) came back" }
    if let path = plan.snapshotPath { words += "; the last is in \(path)" }
    if let video = plan.video, let path = plan.videoPath { words += "; \(video.count) are in \(path)" }
    console.event(
      "summary",
      [
        "frames": .field(figures.frames), "sound_blocks": .field(figures.soundBlocks),
        "pushed": .field(push?.pushed ?? 0), "echoed": .field(figures.echoes),
        "written": .field(plan.video?.count ?? 0),
      ], words: words)
  }

  private static func status(
    _ end: SessionWatch.End, _ push: VideoPush?, _ plan: RunPlan, _ console: Console
  ) throws -> ToolStatus {
    if let failure = push?.failure { throw failure }
    switch end {
    case .done: return .success
    case .dropped:
      console.complain("reactor run: the session ended before its time")
      return .failure
    // Without a time of its own a run is meant to be ended by Ctrl-C.
    case .interrupted: return plan.seconds == nil ? .success : .interrupted
    }
  }
}
