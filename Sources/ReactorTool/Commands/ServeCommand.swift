import Reactor
import ReactorLocalRuntime
import ReactorToolSupport

/// A local runtime for other programs.
enum ServeCommand: Command {
  static let description = CommandDescription(
    name: "serve", summary: "runs the local runtime with its echo model until Ctrl-C",
    discussion: """
      Answers the platform's HTTP and WebRTC protocol, for any number of clients of any
      SDK. The model `reactor/echo` shows a pattern and plays a tone, sends back what is
      pushed to it, and takes the commands that `reactor schema --local` lists.
      It asks for no token, and listens on loopback unless told otherwise.
      """,
    options: [
      .init("port", value: "N", help: "the port (default 8080; 0 picks a free one)"),
      .init("all-interfaces", help: "lets the whole network in, without any authentication"),
      .init("width", value: "N", help: "the picture's width (default 640)"),
      .init("height", value: "N", help: "the picture's height (default 360)"),
      .init("fps", value: "N", help: "pictures a second (default 30)"),
      .init("seconds", value: "N", help: "ends by itself after so long"),
      .init("json", help: "JSON lines"),
    ],
    examples: ["reactor serve", "reactor serve --port 9000 --width 1280 --height 720"])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    var configuration = LocalRuntimeConfiguration()
    configuration.port = UInt16(try options.integer("port", in: 0...65535) ?? 8080)
    configuration.listensOnAllInterfaces = options.has("all-interfaces")
    let width = try options.integer("width", in: 16...3840) ?? 640
    let height = try options.integer("height", in: 16...2160) ?? 360
    guard width % 2 == 0, height % 2 == 0 else { throw UsageError("--width and --height must be even") }
    let model = EchoModel(
      width: width, height: height, framesPerSecond: try options.integer("fps", in: 1...120) ?? 30)
    let limit = try options.number("seconds", in: 0.1...1e7)
    let runtime = try LocalRuntime(model: model, configuration: configuration)
    console.event(
      "listening", ["url": .string(runtime.url), "model": .string(model.name)],
      words: """
        \(model.name) listens on \(runtime.url). Ctrl-C ends it. In another terminal:
          reactor run --local --api-url \(runtime.url) --model \(model.name) --push pattern
        """)
    let start = ContinuousClock.now
    var clients = 0
    while !Task.isCancelled, limit.map({ ContinuousClock.now - start < .seconds($0) }) ?? true {
      try? await Task.sleep(for: .milliseconds(250))
      let now = await runtime.clientCount
      if now != clients {
        console.event(
          "clients", ["count": .field(now)],
          words: now == 1 ? "1 client is connected" : "\(now) clients are connected")
        clients = now
      }
    }
    await Ending.stop(runtime)
    console.event("stopped", words: "stopped")
    return .success
  }
}
