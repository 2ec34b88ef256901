/// Everything about a client that has a default.
public struct ReactorConfiguration: Sendable {
  /// Where the platform listens.
  public var apiURL: String
  /// Whether the platform is a runtime on this network, which needs no token.
  public var local: Bool
  /// The token to use when the token store has none.
  public var jwt: String?
  /// How the session generates. Stepped sessions can be asked for, but there is no call to step yet.
  public var generation: GenerationMode
  /// The limit of one step, in stepped sessions.
  public var stepTimeout: Duration
  /// Whether recvonly tracks are resumed at connect and reconnect.
  public var autoResumeTracks: Bool
  /// Arguments for the model at session creation.
  public var extraArguments: JSONValue?
  /// The model's tracks, if known from ``Capabilities/tracks`` of an earlier session: the offer is then built while
  /// the session starts, and anew when the session declares others.
  public var knownTracks: [Capabilities.TrackCapability]?
  /// The limit of a command or control request.
  public var commandTimeout: Duration
  /// The limit from the answer to a transport that is up.
  public var readyTimeout: Duration
  /// Defaults for every HTTP call.
  public var requests: RequestOptions
  /// Tells whether the device is online, so that no attempt is made while it is not; nil: retries only go by the
  /// clock.
  public var connectivity: (any ConnectivityMonitor)?
  /// Tells whether the app is in the foreground, so that waits stand still while it is not; nil: it always is.
  public var lifecycle: (any AppLifecycle)?
  /// Another way to reach HTTP servers; nil: the built-in one.
  public var http: (any HTTPTransport)?

  /// Everything at its default.
  public init() {
    apiURL = ReactorDefaults.apiURL
    local = false
    jwt = nil
    generation = .streamed
    stepTimeout = .seconds(300)
    autoResumeTracks = true
    extraArguments = nil
    knownTracks = nil
    commandTimeout = .seconds(10)
    readyTimeout = .seconds(30)
    requests = RequestOptions()
    connectivity = nil
    lifecycle = nil
    http = nil
  }
}
