import Foundation
import Reactor
import ReactorToolSupport

/// A session token for a device.
enum TokenCommand: Command {
  static let description = CommandDescription(
    name: "token", summary: "exchanges REACTOR_API_KEY for a session token",
    discussion: """
      API keys belong on servers; devices get short-lived tokens. The key is read from
      the environment only, since other users of a machine can see command lines.
      Prints the token alone, so that it can be used as $(reactor token).
      """,
    options: [
      .init("api-url", value: "URL", help: "where to exchange it (or REACTOR_API_URL)"),
      .init("model", value: "NAME", repeats: true, help: "only good for this model"),
      .init("max-sessions", value: "N", help: "how many sessions it may create"),
      .init("expires-after", value: "SECONDS", help: "how long it is good for"),
      .init("json", help: "token and expiry as a JSON object"),
    ],
    examples: ["REACTOR_JWT=$(reactor token --model reactor/helios) reactor run --model reactor/helios"])

  static func run(_ options: CommandLineOptions, console: Console) async throws -> ToolStatus {
    let environment = options.environment
    guard let apiKey = environment["REACTOR_API_KEY"], !apiKey.isEmpty else {
      throw UsageError("set REACTOR_API_KEY in the environment")
    }
    var request = TokenRequest(apiKey: apiKey)
    request.apiURL = options.text("api-url") ?? environment["REACTOR_API_URL"] ?? Reactor.defaultAPIURL
    let models = options.all("model").map(\.value)
    request.scope = TokenOptions(
      models: models.isEmpty ? nil : models,
      maxSessions: try options.integer("max-sessions", in: 1...1_000_000),
      expiresAfter: try options.integer("expires-after", in: 1...31_536_000))
    let grant = try await Reactor.mintToken(request)
    if console.isJSON {
      let expiry: JSONValue = grant.expiresAt.map { .number($0.timeIntervalSince1970) } ?? .null
      console.line(JSONText.compact(["jwt": .string(grant.jwt), "expires_at": expiry]))
    } else {
      console.line(grant.jwt)
    }
    return .success
  }
}
