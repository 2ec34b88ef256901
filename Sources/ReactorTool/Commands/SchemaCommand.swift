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

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
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
    for (path, item) in (schema["paths"]?.objectValue ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard path.hasPrefix("/events/"), let operation = item["post"] else { continue }
      let summary = operation["summary"]?.stringValue.map { ": \($0)" } ?? ""
      console.line("  \(path.dropFirst("/events/".count))\(summary)")
      let body = operation["requestBody"]?["content"]?["application/json"]?["schema"]
      let required = body?["required"]?.arrayValue ?? []
      for (name, type) in (body?["properties"]?.objectValue ?? [:]).sorted(by: { $0.key < $1.key }) {
        console.line(
          "      \(name): \(word(for: type))\(required.contains(.string(name)) ? "" : ", optional")")
      }
    }
  }

  /// The type's name; of a reference the name of what it refers to.
  private static func word(for type: JSONValue) -> String {
    if let name = type["type"]?.stringValue { return name }
    guard let reference = type["$ref"]?.stringValue else { return "any" }
    return reference.split(separator: "/").last.map(String.init) ?? reference
  }
}
