import Reactor
import ReactorToolSupport

/// What a model takes.
enum SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema", summary: "prints a model's commands, tracks, or its whole OpenAPI document",
    discussion: """
      Connects, asks the running model what it takes and gives, and leaves. On the
      hosted platform that starts a session of a few seconds.
      """,
    options: SessionTarget.options + [.init("json", help: "the OpenAPI document itself")],
    examples: ["reactor schema --local", "reactor schema --model reactor/helios --json > helios.json"])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ExitStatus {
    let target = try SessionTarget(options)
    let reactor = try await target.client()
    do {
      try await reactor.connect()
      let schema = try await reactor.requestSchema()
      if console.isJSON {
        console.line(JSONText.pretty(schema))
      } else {
        show(reactor, schema, console)
      }
      await Ending.leave(reactor)
      return .success
    } catch {
      await Ending.leave(reactor)
      throw error
    }
  }

  private static func show(_ reactor: Reactor, _ schema: JSONValue, _ console: Console) {
    console.line("Tracks:")
    for track in reactor.tracks {
      let way = track.direction == .sendonly ? "to the model" : "from the model"
      console.line("  \(track.name): \(track.kind?.rawValue ?? "?") \(way)")
    }
    console.line("Commands:")
    for command in reactor.capabilities?.commands ?? [] {
      console.line("  \(command.name)\(command.description.map { ": \($0)" } ?? "")")
      let parameters = command.schema?["properties"]?.objectValue ?? command.schema?.objectValue ?? [:]
      for (name, parameter) in parameters.sorted(by: { $0.key < $1.key }) where parameter.objectValue != nil {
        console.line("      \(name): \(parameter["type"]?.stringValue ?? "any")")
      }
    }
    if reactor.capabilities?.commands.isEmpty ?? true {
      for path in (schema["paths"]?.objectValue ?? [:]).keys.sorted() { console.line("  \(path)") }
    }
  }
}
