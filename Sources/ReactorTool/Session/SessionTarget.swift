import Foundation
import Reactor
import ReactorToolSupport

/// Which model to run, where, and with whose credentials: options first, then the environment.
struct SessionTarget {
  static let options: [CommandLineOptions.Option] = [
    .init("model", value: "NAME", help: "owner/name (or REACTOR_MODEL)"),
    .init("local", help: "a runtime of your own, without a token (or REACTOR_LOCAL=1)"),
    .init(
      "api-url", value: "URL",
      help: "where it listens (or REACTOR_API_URL; with --local: \(Reactor.localAPIURL))"),
  ]

  let model: String
  let apiURL: String
  let isLocal: Bool
  private let apiKey: String?
  private let jwt: String?

  init(_ options: CommandLineOptions) throws {
    let environment = options.environment
    isLocal = options.has("local") || ["1", "true", "yes"].contains(environment["REACTOR_LOCAL"] ?? "")
    let named = options.text("model") ?? environment["REACTOR_MODEL"]
    guard let model = named ?? (isLocal ? "reactor/echo" : nil) else {
      throw UsageError("which model? Give --model owner/name, or --local for a runtime of your own")
    }
    self.model = model
    apiURL = options.text("api-url") ?? environment["REACTOR_API_URL"] ?? Reactor.defaultAPIURL
    apiKey = environment["REACTOR_API_KEY"]
    jwt = environment["REACTOR_JWT"]
    guard isLocal || apiKey != nil || jwt != nil else {
      throw UsageError("the hosted platform needs REACTOR_API_KEY or REACTOR_JWT in the environment")
    }
  }

  func client() async throws -> Reactor {
    if !isLocal, jwt == nil, let apiKey {
      return try await Reactor(model: model, apiKey: apiKey, apiURL: apiURL)
    }
    return try Reactor(model: model, jwt: isLocal ? nil : jwt, apiURL: apiURL, local: isLocal)
  }
}
