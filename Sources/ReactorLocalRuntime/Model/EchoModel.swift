import ReactorTypes
import Synchronization

/// The model that ships with the runtime: a moving pattern and a tone out; what a client pushes comes back, the
/// picture with a green corner as its mark.
///
/// Its own picture returns when the camera is unpublished, and when it has pushed nothing for ``cameraPatience``.
public final class EchoModel: LocalModel {
  private struct State {
    var prompt = ""
    var brightness = 1.0
    var echoedFrames = 0
    var stats: (frames: Int, samples: Int) = (0, 0)
  }

  /// The picture's width.
  public let width: Int
  /// The picture's height.
  public let height: Int
  /// Pictures a second.
  public let framesPerSecond: Int
  /// How many pictures a camera may miss before the model shows its own again: those of half a second.
  public var cameraPatience: Int { max(1, framesPerSecond / 2) }
  private let state = Mutex(State())

  /// A model whose own picture has this size and rate.
  public init(width: Int = 640, height: Int = 360, framesPerSecond: Int = 30) {
    self.width = width
    self.height = height
    self.framesPerSecond = framesPerSecond
  }

  /// `reactor/echo`.
  public var name: String { "reactor/echo" }

  /// Video and audio, both ways.
  public let tracks = [
    LocalModelTrack("main_video", .video, .output), LocalModelTrack("main_audio", .audio, .output),
    LocalModelTrack("camera", .video, .input), LocalModelTrack("mic", .audio, .input),
  ]

  /// `set_prompt`, `set_brightness`, `set_image`, `echo`, `fail`, `get_stats`, `emit_messages`.
  public let commands = [
    LocalModelCommand("set_prompt", summary: "Names what to show", parameters: [.init("prompt", .string)]),
    LocalModelCommand("set_brightness", summary: "0 to 1", parameters: [.init("brightness", .number)]),
    LocalModelCommand(
      "set_image", summary: "Takes an uploaded picture",
      parameters: [.init("image", .upload), .init("strength", .number, isRequired: false)]),
    LocalModelCommand("echo", summary: "Answers with its argument", parameters: [.init("text", .any)]),
    LocalModelCommand(
      "fail", summary: "Is refused", parameters: [.init("reason", .string, isRequired: false)]),
    LocalModelCommand("get_stats", summary: "What has been received"),
    LocalModelCommand(
      "emit_messages", summary: "Sends messages",
      parameters: [.init("count", .number), .init("size", .number)]),
  ]

  /// Generates until it is cancelled.
  public func run(_ session: LocalSession) async throws {
    let interval = Duration.seconds(1) / framesPerSecond
    var due = ContinuousClock.now
    var index = 0
    var tone = ToneGenerator(frequency: 440, sampleRate: 48_000)
    var pattern = TestPattern(width: width, height: height)
    var camera = CameraWatch(patience: cameraPatience)
    while !Task.isCancelled {
      let pushed = session.newestFrame(of: "camera")
      switch camera.look(count: pushed?.count, isPublished: session.isPublished("camera")) {
      case .fresh:
        guard let pushed else { break }
        state.withLock { $0.stats.frames = pushed.count }
        var pixels = pushed.frame.pixels
        TestPattern.mark(&pixels, width: pushed.frame.width, height: pushed.frame.height)
        session.emit(
          pixels, width: pushed.frame.width, height: pushed.frame.height, on: "main_video",
          userData: pushed.frame.userData)
      case .late: break
      case .gone:
        let brightness = state.withLock { $0.brightness }
        session.emit(
          pattern.draw(index, brightness: brightness), width: width, height: height, on: "main_video",
          userData: Array("{\"index\":\(index)}".utf8))
      }
      let samples = session.takeSamples(of: "mic")
      state.withLock { $0.stats.samples += samples.count }
      session.emit(samples.isEmpty ? tone.next(48_000 / framesPerSecond) : samples, on: "main_audio")
      index += 1
      due += interval
      // A machine that was asleep does not make up for it by a burst.
      if due < ContinuousClock.now - .seconds(1) { due = ContinuousClock.now }
      try await Task.sleep(until: due, clock: .continuous)
    }
  }

  /// Answers one command.
  public func handle(_ call: LocalModelCall, in session: LocalSession) async throws -> LocalModelMessage? {
    switch call.command {
    case "set_prompt":
      let prompt = call.arguments["prompt"]?.stringValue ?? ""
      guard !prompt.isEmpty else { throw LocalModelError("prompt_empty", "The prompt must not be empty.") }
      state.withLock { $0.prompt = prompt }
      return LocalModelMessage(
        "prompt_accepted", ["prompt": .string(prompt), "length": .number(Double(prompt.count))])
    case "set_brightness":
      state.withLock { $0.brightness = min(1, max(0, call.arguments["brightness"]?.doubleValue ?? 1)) }
      return nil
    case "set_image":
      let bytes = call.uploads["image"] ?? []
      return LocalModelMessage("image_accepted", ["size": .number(Double(bytes.count))])
    case "echo": return LocalModelMessage("echoed", .object(call.arguments))
    case "fail":
      throw LocalModelError("echo_failed", call.arguments["reason"]?.stringValue ?? "This command fails.")
    case "get_stats":
      let stats = state.withLock { $0.stats }
      return LocalModelMessage(
        "stats",
        ["camera_frames": .number(Double(stats.frames)), "mic_samples": .number(Double(stats.samples))])
    case "emit_messages":
      let count = min(1000, call.arguments["count"]?.intValue ?? 0)
      let text = String(repeating: "x", count: min(1 << 20, max(0, call.arguments["size"]?.intValue ?? 0)))
      for number in 0..<max(0, count) {
        session.send(
          LocalModelMessage("progress", ["index": .number(Double(number)), "text": .string(text)]))
      }
      return nil
    default: return nil
    }
  }
}
