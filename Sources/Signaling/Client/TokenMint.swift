#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

/// Exchanges API keys for session tokens.
package struct TokenMint: Sendable {
  private let runner: CallRunner

  package init(
    transport: any HTTPTransport, connectivity: (any ConnectivityMonitor)? = nil,
    lifecycle: (any AppLifecycle)? = nil, clock: any SignalingClock = SystemClock(),
    random: RandomSource = .system
  ) {
    runner = CallRunner(
      transport: transport, tokens: nil, fallbackToken: nil, isLocal: false, defaults: RequestOptions(),
      clock: clock, gate: Gate(clock: clock, connectivity: connectivity, lifecycle: lifecycle), random: random
    )
  }

  /// The token that `request` asks for.
  ///
  /// - Parameter isLocal: means the local runtime's default URL when `request` names the hosted one. The runtimes
  ///   of today answer with 404.
  package func mint(
    _ request: TokenRequest, isLocal: Bool = false
  ) async throws(SignalingError) -> TokenGrant {
    guard let endpoint = Endpoint(apiURL: request.apiURL, isLocal: isLocal), let url = endpoint.url("/tokens")
    else { throw SignalingError(.mintToken, .refused("the API URL is not an http or https URL")) }
    guard !request.apiKey.isEmpty else {
      throw SignalingError(.mintToken, .refused("the API key is empty"))
    }
    var seconds: Int?
    if let duration = request.maxSessionDuration {
      guard duration >= .seconds(1), duration <= .seconds(86_400) else {
        throw SignalingError(.mintToken, .refused("a session may be limited to 1 s … 86 400 s"))
      }
      seconds = Int(duration.components.seconds)
    }
    var call = Call(
      step: .mintToken, method: "POST", url: url,
      json: request.scope.requestBody(sessions: request.sessions, maxSessionDurationSeconds: seconds),
      authorization: .apiKey(request.apiKey), options: request.options)
    call.maxBody = 1 << 20
    let answer = try await runner.run(call)
    guard var members = (try? JSONValue(parsing: answer.body))?.objectValue,
      let jwt = members.removeValue(forKey: "jwt")?.stringValue, !jwt.isEmpty, CallRunner.isFieldValue(jwt)
    else { throw SignalingError(.mintToken, .undecodable("the answer has no token")) }
    let expiry = members["expires_at"].flatMap(TokenMint.date)
    if expiry != nil { members["expires_at"] = nil }
    return TokenGrant(jwt: jwt, expiresAt: expiry, extraFields: members)
  }

  // Unix seconds or milliseconds, or an ISO 8601 text.
  private static func date(_ value: JSONValue) -> Date? {
    if let number = value.doubleValue ?? value.stringValue.flatMap(Double.init) {
      guard number.isFinite, number.magnitude < 1e15 else { return nil }
      return Date(timeIntervalSince1970: number > 1e11 ? number / 1000 : number)
    }
    guard let text = value.stringValue else { return nil }
    return ISO8601Instant(text).map { Date(timeIntervalSince1970: $0.unixSeconds) }
  }
}
