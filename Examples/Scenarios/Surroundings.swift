import Foundation
import Reactor

/// Which model the examples use, from the environment: `REACTOR_MODEL`, `REACTOR_API_URL`, `REACTOR_LOCAL`,
/// `REACTOR_API_KEY`, `REACTOR_JWT`, `REACTOR_SECONDS`. By default the echo model of `reactor serve`.
package struct Surroundings: Sendable {
  package var model = "reactor/echo"
  package var apiURL = Reactor.defaultAPIURL
  package var isLocal = true
  package var apiKey: String?
  package var jwt: String?
  /// How long an example that watches goes on.
  package var seconds = 3.0
  /// Another way to the platform than the network; for the examples' own tests.
  package var http: (any HTTPTransport)?

  /// A local runtime at `apiURL`.
  package init(localRuntime apiURL: String, seconds: Double) {
    self.apiURL = apiURL
    self.seconds = seconds
  }

  package init(_ environment: [String: String]) {
    apiKey = environment["REACTOR_API_KEY"]
    jwt = environment["REACTOR_JWT"]
    isLocal = environment["REACTOR_LOCAL"].map { $0 == "1" } ?? (apiKey == nil && jwt == nil)
    model = environment["REACTOR_MODEL"] ?? model
    apiURL = environment["REACTOR_API_URL"] ?? apiURL
    seconds = environment["REACTOR_SECONDS"].flatMap(Double.init) ?? seconds
  }

  package func client() async throws -> Reactor {
    if !isLocal, jwt == nil, let apiKey {
      return try await Reactor(model: model, apiKey: apiKey, apiURL: apiURL)
    }
    guard let http else { return try Reactor(model: model, jwt: jwt, apiURL: apiURL, local: isLocal) }
    var configuration = ReactorConfiguration()
    configuration.apiURL = apiURL
    configuration.local = isLocal
    configuration.jwt = jwt
    configuration.http = http
    return try Reactor(model: model, tokens: nil, configuration: configuration)
  }
}
