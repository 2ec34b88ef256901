import ReactorTypes
import Signaling

extension Reactor {
  /// What a token may do.
  public typealias TokenOptions = ReactorTypes.TokenOptions

  /// Exchanges an API key for a session token.
  ///
  /// Throws ``ReactorError/unauthorized`` for a bad key, ``ReactorError/decodeFailed`` for an answer without a
  /// token, and HTTP failures by their status. Servers do this, never devices.
  public static func fetchJWT(
    apiKey: String, apiURL: String = Reactor.defaultAPIURL, options: TokenOptions? = nil, local: Bool = false
  ) async throws -> String {
    var request = TokenRequest(apiKey: apiKey)
    request.apiURL = apiURL
    if let options { request.scope = options }
    return try await mint(request, isLocal: local).jwt
  }

  /// Exchanges an API key for a token with all options, and tells when it expires.
  ///
  /// Throws as ``fetchJWT(apiKey:apiURL:options:local:)`` does.
  public static func mintToken(_ request: TokenRequest) async throws -> TokenGrant {
    try await mint(request, isLocal: false)
  }

  private static func mint(_ request: TokenRequest, isLocal: Bool) async throws -> TokenGrant {
    let transport = CurlTransport()
    defer { transport.close() }
    do {
      return try await TokenMint(transport: transport).mint(request, isLocal: isLocal)
    } catch {
      throw error.reactorError(operation: "fetch_jwt")
    }
  }
}
