/// What a token is wanted for.
public struct TokenContext: Sendable, Hashable {
  /// The model, as `owner/name`.
  public let model: String
  /// The session that the request acts on; nil: the request creates the session.
  public let sessionID: String?

  package init(model: String, sessionID: String?) {
    self.model = model
    self.sessionID = sessionID
  }
}

/// Where the SDK gets its session tokens (JWTs) from. Asked before every HTTP request.
public protocol TokenStore: Sendable {
  /// The token to use, or nil to fall back to the configuration's.
  func token(for context: TokenContext) async throws -> String?
  /// The server refused `token` (401): forget it. The store is asked once more after that.
  func invalidate(_ token: String, for context: TokenContext) async
}
