#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Dispatch
import ReactorTypes
import Signaling
import WireFormat

/// A live conversation with a real-time video model.
///
/// ```swift
/// let reactor = try await Reactor(model: "acme/world", apiKey: key)
/// let frames = try reactor.track("main_video").onFrame { frame in show(frame) }
/// try await reactor.connect()
/// try await reactor.sendCommand("set_prompt", ["prompt": "a red fox"])
/// ```
///
/// All members may be used from any thread. Handlers registered by `on…` run one at a time, in the order in
/// which things happened, on a queue of the SDK or on the one given at construction, never on a network
/// thread. Releasing the last reference closes the client.
public final class Reactor: Sendable {
  /// Where the hosted platform listens.
  public static let defaultAPIURL = ReactorDefaults.apiURL
  /// Where a local runtime listens.
  public static let localAPIURL = ReactorDefaults.localAPIURL

  let client: Client

  // MARK: Construction

  /// A client that connects nothing yet.
  ///
  /// - Parameters:
  ///   - model: `owner/name`; a bare name resolves under `reactor/`.
  ///   - jwt: a session token; not needed for a local runtime.
  ///   - apiURL: where the platform listens.
  ///   - local: whether it is a local runtime: no token, one session. With the default URL it means
  ///     ``localAPIURL``.
  ///   - eventQueue: where event handlers run; nil: a serial queue of the SDK.
  ///
  /// Throws ``ReactorError/badRequest`` for an empty model name or a URL that is not http or https.
  public convenience init(
    model: String, jwt: String? = nil, apiURL: String = Reactor.defaultAPIURL, local: Bool = false,
    eventQueue: DispatchQueue? = nil
  ) throws {
    var configuration = ReactorConfiguration()
    configuration.apiURL = apiURL
    configuration.local = local
    configuration.jwt = jwt
    try self.init(model: model, tokens: nil, configuration: configuration, eventQueue: eventQueue)
  }

  /// Exchanges an API key for a session token, then as ``init(model:jwt:apiURL:local:eventQueue:)``.
  ///
  /// Throws what ``fetchJWT(apiKey:apiURL:options:local:)`` throws. Keys belong on servers, never on devices. A
  /// local runtime has no tokens: the key is then not sent anywhere.
  public convenience init(
    model: String, apiKey: String, apiURL: String = Reactor.defaultAPIURL, options: TokenOptions? = nil,
    local: Bool = false, eventQueue: DispatchQueue? = nil
  ) async throws {
    let jwt = local ? nil : try await Reactor.fetchJWT(apiKey: apiKey, apiURL: apiURL, options: options)
    try self.init(model: model, jwt: jwt, apiURL: apiURL, local: local, eventQueue: eventQueue)
  }

  /// A client with every setting in reach, whose tokens come from a store.
  ///
  /// Throws as ``init(model:jwt:apiURL:local:eventQueue:)`` does.
  public init(
    model: String, tokens: (any TokenStore)?, configuration: ReactorConfiguration,
    eventQueue: DispatchQueue? = nil
  ) throws {
    client = try Client(
      model: model, tokens: tokens, configuration: configuration,
      dispatcher: EventDispatcher(queue: eventQueue))
  }

  deinit {
    client.close()
  }

  // MARK: Life

  /// Creates a session, or adopts one, and brings its connection up. Returns when the status is `.ready`.
  ///
  /// - Parameters:
  ///   - sessionID: an existing session to join; nil: create one.
  ///   - connectionID: a connection that a backend has registered for this client; nil: register one.
  ///
  /// Throws ``ReactorError/invalidState`` unless disconnected; HTTP failures by their status;
  /// ``ReactorError/sessionTerminal`` when the session is over; ``ReactorError/requestTimeout`` when it does not
  /// get ready. On failure, and when the calling task is cancelled (``ReactorError/aborted``), the session that
  /// this call created is ended.
  public final func connect(sessionID: String? = nil, connectionID: UInt32? = nil) async throws {
    try await client.connect(sessionID: sessionID, connectionID: connectionID)
  }

  /// A new connection for the same session: after a drop, or from `.ready` to cycle it. Recvonly tracks resume
  /// by themselves; published tracks must be published again.
  ///
  /// Throws ``ReactorError/invalidState`` when there is no session; otherwise as
  /// ``connect(sessionID:connectionID:)``, but never ends the session.
  public final func reconnect() async throws {
    try await client.reconnect()
  }

  /// Leaves, and ends the session if this client created it. A failure to end it is logged, not thrown. Calls in
  /// flight fail with ``ReactorError/disconnected``. Idempotent.
  public final func disconnect() async throws {
    try await client.disconnect()
  }

  /// Frees everything at once, from any thread, also from inside a handler. Calls in flight fail with
  /// ``ReactorError/aborted``. The session is not ended: use ``disconnect()`` for that. Idempotent.
  public final func close() {
    client.close()
  }

  /// Where the client stands, read live.
  public final var status: ReactorStatus { client.lifecycle.status }

  /// The session; kept after a drop, nil after ``disconnect()``.
  public final var sessionID: String? { client.lifecycle.sessionID }

  /// Whether ``close()`` was called.
  public final var isClosed: Bool { client.isClosed }

  /// What the session's model takes and gives; nil before it is known.
  public final var capabilities: Capabilities? { client.lifecycle.session?.capabilities }

  /// How this client stands and what happened to it lately (256 lines), for a bug report. Holds no secrets.
  public final var debugDump: String { client.debugDump }

  // MARK: Tracks

  /// The track called `name`. Before the session has declared its tracks any name is taken, so that handlers
  /// can be registered before ``connect(sessionID:connectionID:)``.
  ///
  /// Throws ``ReactorError/notFound`` for a name that the session does not declare.
  public final func track(_ name: String) throws -> Track {
    try client.tracks.track(name, client: client.weak)
  }

  /// The declared tracks, in the order of their declaration; empty before that and after ``disconnect()``.
  public final var tracks: TrackList { TrackList(client.tracks.all(client: client.weak)) }

  /// The names of paused tracks.
  public final var pausedTracks: Set<String> { client.tracks.pausedTracks }

  /// Microseconds of the clock that capture times are read from. Not Unix time: only differences mean
  /// something.
  public static func timeMicros() -> Int64 { MonotonicClock.now().microseconds }

  // MARK: Commands

  /// Sends a command to the model and waits for its reply (at most 10 s).
  ///
  /// - Parameters:
  ///   - name: the command.
  ///   - args: a JSON object; nil: no arguments.
  ///   - uploads: uploaded files by parameter name.
  /// - Returns: what the handler returned; nil when it returned nothing. With a runtime of the older protocol,
  ///   which answers no commands, always nil, as soon as the command is on its way.
  ///
  /// Throws ``ReactorError/invalidState`` unless ready; ``ReactorError/badRequest`` for arguments that are no
  /// object; ``ReactorError/messageTooLarge`` before anything is sent; ``ReactorError/requestTimeout``;
  /// ``ReactorError/disconnected``; and the model's own code for a command that it rejects.
  @discardableResult
  public final func sendCommand(
    _ name: String, _ args: JSONValue? = nil, uploads: [String: FileRef] = [:]
  ) async throws -> CommandReply? {
    try await client.sendCommand(name, args, uploads: uploads)
  }

  /// The same with arguments of any `Encodable` type that encodes to an object.
  ///
  /// Throws ``ReactorError/badRequest`` for arguments that do not encode (a NaN, or an integer beyond 2^53, which
  /// the wire cannot carry: send it as a string).
  @discardableResult
  public final func sendCommand(
    _ name: String, arguments: some Encodable & Sendable, uploads: [String: FileRef] = [:]
  ) async throws -> CommandReply? {
    let encoded: JSONValue
    do {
      encoded = try JSONValue(encoding: arguments)
    } catch {
      throw ReactorError(
        .badRequest, "the arguments of '\(name)' cannot be encoded: \(error)", operation: "send_command")
    }
    return try await client.sendCommand(name, encoded, uploads: uploads)
  }

  /// The OpenAPI document of the running model's commands.
  ///
  /// Throws ``ReactorError/decodeFailed`` when it is absent or unreadable.
  public final func requestSchema() async throws -> JSONValue {
    try await client.requestSchema()
  }

  // MARK: Uploads

  /// Uploads a file, streamed from disk, under its own name and the MIME type that the name suggests.
  ///
  /// Throws ``ReactorError/invalidState`` unless ready; ``ReactorError/badRequest`` for a file that is empty,
  /// cannot be read, or changes meanwhile.
  public final func uploadFile(at url: URL) async throws -> FileRef {
    try await client.upload(file: url, name: nil, mimeType: nil, options: RequestOptions())
  }

  /// Uploads bytes from memory. Throws as ``uploadFile(at:)`` does.
  public final func uploadData(_ data: Data, name: String, mimeType: String) async throws -> FileRef {
    try await client.upload(data, name: name, mimeType: mimeType)
  }

  /// ``uploadFile(at:)`` under another name or type, and with request options.
  public final func uploadFile(
    at url: URL, name: String?, mimeType: String? = nil, options: RequestOptions = RequestOptions()
  ) async throws -> FileRef {
    try await client.upload(file: url, name: name, mimeType: mimeType, options: options)
  }

  // MARK: Bitrate and statistics

  /// Bounds of the connection's whole sending rate, in bits per second; nil leaves one at its default.
  /// `startBPS` matters before a connect only. Remembered over reconnects.
  ///
  /// Throws ``ReactorError/badRequest`` for a negative bound or a minimum above the maximum.
  public final func setBitrate(minBPS: Int? = nil, startBPS: Int? = nil, maxBPS: Int? = nil) async throws {
    try await client.setBitrate(minBPS: minBPS, startBPS: startBPS, maxBPS: maxBPS)
  }

  /// The connection's figures.
  ///
  /// Throws ``ReactorError/invalidState`` unless ready.
  public final func stats() async throws -> ConnectionStats {
    try await client.stats()
  }
}
