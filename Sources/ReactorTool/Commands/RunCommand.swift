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
      """,
    options: SessionTarget.options + [
      .init("session", value: "ID", help: "joins this session instead of creating one"),
      .init("seconds", value: "N", help: "how long (default: until Ctrl-C)"),
      .init("command", value: "NAME", repeats: true, takesObject: true, help: "sends a command"),
      .init("push", value: "pattern", help: "publishes the first video input and pushes a moving pattern"),
      .init("snapshot", value: "FILE", help: "the last picture as PNG"),
      .init("record", value: "FILE", help: "the session's recording as MP4, at the end"),
      .init("stats", help: "a line of statistics each second"),
      .init("no-preview", help: "no picture in the terminal"),
      .init("json", help: "JSON lines instead of words"),
    ],
    examples: [
      "reactor run --local --push pattern --seconds 5 --snapshot last.png",
      "reactor run --model reactor/helios --command set_prompt '{\"prompt\": \"a red fox\"}' --command start",
    ])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ExitStatus {
    let target = try SessionTarget(options)
    if let push = options.text("push"), push != "pattern" {
      throw UsageError("--push takes 'pattern', not '\(push)'")
    }
    let seconds = try options.number("seconds", in: 0.1...1e7)
    let commands = try options.all("command").map { pair in
      (pair.value, try pair.object.map { try JSONText.object($0, of: pair.value) })
    }
    let reactor = try await target.client()
    let media = ReceivedMedia()
    let subscriptions = observe(reactor, console)
    defer { for subscription in subscriptions { subscription.cancel() } }
    do {
      try await reactor.connect(sessionID: options.text("session"))
      let receivers = try receive(reactor, media)
      defer { for receiver in receivers { receiver.cancel() } }
      console.event(
        "ready", ["session_id": .field(reactor.sessionID)],
        words: "Ready: \(target.model) with " + reactor.tracks.map(\.name).joined(separator: ", "))
      for (name, arguments) in commands { try await send(name, arguments, to: reactor, console) }
      let push = options.has("push") ? try await publish(reactor) : nil
      let isInterrupted = try await watch(
        reactor, media, push, seconds: seconds, options: options, console: console)
      push?.stop()
      if !isInterrupted, let path = options.text("record") {
        try await record(reactor, to: path, console)
      }
      let didDrop = !isInterrupted && reactor.status != .ready
      await Ending.leave(reactor)
      try finish(media.figures, push, options, console)
      guard !didDrop else {
        console.complain("reactor run: the session ended before its time")
        return .failure
      }
      return .success
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
      reactor.onError { error in
        console.event(
          "error", ["code": .string(error.code.rawValue), "message": .string(error.message)],
          words: "error: \(error)")
      },
    ]
  }

  private static func receive(_ reactor: Reactor, _ media: ReceivedMedia) throws -> [Subscription] {
    var subscriptions: [Subscription] = []
    // One picture fits the screen: that of the first video track.
    if let video = reactor.tracks.withDirection(.recvonly).withKind(.video).first {
      subscriptions.append(try video.onFrame { (frame: VideoFrame) in media.take(frame) })
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
      "reply",
      [
        "command": .string(name), "type": .field(reply?.type),
        "data": reply?.data ?? .null,
      ],
      words: "\(name): \(reply?.type ?? "done") \(data)")
  }

  private static func publish(_ reactor: Reactor) async throws -> PatternPush {
    guard let track = reactor.tracks.withDirection(.sendonly).withKind(.video).first else {
      throw UsageError("this model takes no video, so there is nothing to --push to")
    }
    try await track.publish()
    return PatternPush(to: track)
  }

  /// Until the time is up or the session ends; true when it was Ctrl-C.
  private static func watch(
    _ reactor: Reactor, _ media: ReceivedMedia, _ push: PatternPush?, seconds: Double?,
    options: CommandLineOptions, console: Console
  ) async throws -> Bool {
    let showsPicture = console.hasTrueColor && !options.has("no-preview")
    let start = ContinuousClock.now
    var statsDue = start + .seconds(1)
    while reactor.status == .ready, seconds.map({ ContinuousClock.now - start < .seconds($0) }) ?? true {
      do {
        try await Task.sleep(for: .milliseconds(showsPicture ? 100 : 250))
      } catch {
        return true
      }
      let figures = media.figures
      if options.has("stats"), ContinuousClock.now >= statsDue {
        statsDue += .seconds(1)
        if let stats = try? await reactor.stats() { show(stats, figures, console) }
      }
      var text = "in: \(figures.size) \(figures.framesPerSecond)/s, \(figures.frames) pictures, "
      text += "\(figures.soundBlocks) blocks of sound"
      if let push { text += " | out: \(push.pushed) pushed" }
      if figures.echoes > 0 {
        text += ", \(figures.echoes) echoed, \(Figures.milliseconds(figures.echoMilliseconds))"
      }
      var picture: [String] = []
      if showsPicture, let newest = figures.newest {
        let size = console.size
        picture = TerminalPreview.lines(
          [UInt8](newest.pixels), width: Int(newest.width), height: Int(newest.height),
          columns: size.columns - 1, rows: max(1, size.rows - 3))
      }
      console.update(text, picture: picture)
    }
    return Task.isCancelled
  }

  private static func show(_ stats: ConnectionStats, _ figures: ReceivedMedia.Figures, _ console: Console) {
    var words = "stats: round trip \(Figures.milliseconds(stats.rttMS)), "
    words +=
      "in \(Figures.bitrate(stats.incomingBitrateBPS)), out \(Figures.bitrate(stats.outgoingBitrateBPS)), "
    words += "\(stats.packetsLost) of \(stats.packetsReceived) packets lost, by \(stats.candidateType ?? "-")"
    console.event(
      "stats",
      [
        "rtt_ms": .field(stats.rttMS), "packet_loss_ratio": .field(stats.packetLossRatio),
        "incoming_bps": .field(stats.incomingBitrateBPS), "outgoing_bps": .field(stats.outgoingBitrateBPS),
        "available_outgoing_bps": .field(stats.availableOutgoingBitrateBPS),
        "frames": .field(figures.frames),
        "frames_per_second": .field(figures.framesPerSecond),
        "packets_lost": .field(stats.packetsLost),
        "packets_received": .field(stats.packetsReceived),
        "candidate_type": .field(stats.candidateType),
      ],
      words: words)
  }

  private static func record(_ reactor: Reactor, to path: String, _ console: Console) async throws {
    let clip = try await reactor.requestRecording()
    let result = try await reactor.download(clip, to: URL(fileURLWithPath: path))
    console.event(
      "recording", ["path": .string(path), "bytes": .field(result.bytes)],
      words: "the recording is in \(path): \(result.bytes) bytes in \(result.segments) segments")
  }

  private static func finish(
    _ figures: ReceivedMedia.Figures, _ push: PatternPush?, _ options: CommandLineOptions, _ console: Console
  ) throws {
    console.settle()
    if let path = options.text("snapshot") {
      guard let newest = figures.newest else {
        throw ReactorError(.notFound, "no picture came, so there is no snapshot")
      }
      try PNGImage.write(
        [UInt8](newest.pixels), width: Int(newest.width), height: Int(newest.height), to: path)
    }
    var words = "\(figures.frames) pictures and \(figures.soundBlocks) blocks of sound received"
    if let push { words += ", \(push.pushed) pictures pushed" }
    if figures.echoes > 0 { words += ", \(figures.echoes) came back" }
    if let path = options.text("snapshot") { words += "; the last is in \(path)" }
    console.event(
      "summary",
      [
        "frames": .field(figures.frames), "sound_blocks": .field(figures.soundBlocks),
        "pushed": .field(push?.pushed ?? 0), "echoed": .field(figures.echoes),
      ], words: words)
  }
}
