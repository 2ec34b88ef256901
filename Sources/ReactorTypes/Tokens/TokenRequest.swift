/// An exchange of an API key for a session token.
public struct TokenRequest: Sendable {
  /// The API key (`rk_…`). Belongs on servers, never on a device.
  public var apiKey: String
  /// Where to exchange it.
  public var apiURL: String
  /// What the token is good for.
  public var scope: TokenOptions
  /// Existing open sessions that the token may act on.
  public var sessions: [String]?
  /// How long a session that the token creates may live: 1 s to 24 h.
  public var maxSessionDuration: Duration?
  /// Options of the HTTP call.
  public var options: RequestOptions

  /// An unscoped token from the hosted platform.
  public init(apiKey: String) {
    self.apiKey = apiKey
    apiURL = ReactorDefaults.apiURL
    scope = TokenOptions()
    sessions = nil
    maxSessionDuration = nil
    options = RequestOptions()
  }
}
