/// What a minted token is good for; also reachable as `Reactor.TokenOptions`.
public struct TokenOptions: Sendable, Hashable, Encodable {
  /// The models that the token may create sessions of. nil: all of the key's.
  public var models: [String]?
  /// How many sessions it may ever hold. Means nothing on an unscoped token.
  public var maxSessions: Int?
  /// Its life in seconds; the server clamps it.
  public var expiresAfter: Int?

  /// Options; those left out are the server's choice.
  public init(models: [String]? = nil, maxSessions: Int? = nil, expiresAfter: Int? = nil) {
    self.models = models
    self.maxSessions = maxSessions
    self.expiresAfter = expiresAfter
  }

  /// Encodes the request body of the token exchange.
  public func encode(to encoder: any Encoder) throws {
    try requestBody().encode(to: encoder)
  }

  /// The body of `POST /tokens`: JSON null when nothing is asked for.
  package func requestBody(sessions: [String]? = nil, maxSessionDurationSeconds: Int? = nil) -> JSONValue {
    var body: [String: JSONValue] = [:]
    if models != nil || sessions != nil {
      var resources: [String: JSONValue] = [:]
      if let models {
        resources["models"] = ["match": .array(models.map { .string($0) })]
      } else {
        // The coordinator wants this part; it grants no creation by itself.
        resources["models"] = ["all": true]
      }
      if let sessions { resources["sessions"] = ["bind": .array(sessions.map { .string($0) })] }
      var constraints: [String: JSONValue] = [:]
      if let maxSessions { constraints["max_sessions"] = .number(Double(maxSessions)) }
      if let maxSessionDurationSeconds {
        constraints["max_session_duration_seconds"] = .number(Double(maxSessionDurationSeconds))
      }
      var detail: [String: JSONValue] = ["type": "session", "resources": .object(resources)]
      if !constraints.isEmpty { detail["constraints"] = .object(constraints) }
      body["authorization_details"] = [.object(detail)]
    }
    if let expiresAfter { body["expires_after"] = .number(Double(expiresAfter)) }
    return body.isEmpty ? .null : .object(body)
  }
}
