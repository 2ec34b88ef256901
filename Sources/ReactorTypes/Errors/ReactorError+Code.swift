extension ReactorError {
  /// An error code. The set is open: what the platform or a model sends is kept verbatim.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code as it is sent.
    public let rawValue: String

    /// Any code; an empty one becomes `INTERNAL_ERROR`.
    public init(rawValue: String) {
      self.rawValue = rawValue.isEmpty ? "INTERNAL_ERROR" : rawValue
    }

    /// The code as it is sent.
    public var description: String { rawValue }

    /// The state does not allow the call.
    public static let invalidState = Code(rawValue: "INVALID_STATE")
    /// The transport was lost, or the client disconnected meanwhile.
    public static let disconnected = Code(rawValue: "DISCONNECTED")
    /// No HTTP answer: DNS, TLS, or a refused or broken connection.
    public static let networkError = Code(rawValue: "NETWORK_ERROR")
    /// No answer in time.
    public static let requestTimeout = Code(rawValue: "REQUEST_TIMEOUT")
    /// ICE, DTLS, SCTP, or an SDP that cannot be used.
    public static let transportError = Code(rawValue: "TRANSPORT_ERROR")
    /// HTTP 401 or 403: the token or key is missing, expired or not entitled.
    public static let unauthorized = Code(rawValue: "UNAUTHORIZED")
    /// HTTP 404, or a name that the session does not declare.
    public static let notFound = Code(rawValue: "NOT_FOUND")
    /// HTTP 409: for example, a session is running already.
    public static let conflict = Code(rawValue: "CONFLICT")
    /// HTTP 429; see `retryAfterMS`.
    public static let rateLimited = Code(rawValue: "RATE_LIMITED")
    /// The arguments were refused, here or by the server.
    public static let badRequest = Code(rawValue: "BAD_REQUEST")
    /// HTTP 5xx.
    public static let serverError = Code(rawValue: "SERVER_ERROR")
    /// HTTP 426 or 501: client and server speak different versions.
    public static let versionMismatch = Code(rawValue: "VERSION_MISMATCH")
    /// An answer could not be read.
    public static let decodeFailed = Code(rawValue: "DECODE_FAILED")
    /// The session is closed and will not come back.
    public static let sessionTerminal = Code(rawValue: "SESSION_TERMINAL")
    /// A message is over the limit of the connection, or a body over its bound.
    public static let messageTooLarge = Code(rawValue: "MESSAGE_TOO_LARGE")
    /// `close()` or the cancellation of the task ended the call.
    public static let aborted = Code(rawValue: "ABORTED")
    /// The session is not being recorded.
    public static let recorderDisabled = Code(rawValue: "RECORDER_DISABLED")
    /// Anything that has no code of its own.
    public static let internalError = Code(rawValue: "INTERNAL_ERROR")
    /// The runtime started another generation mode.
    public static let generationModeMismatch = Code(rawValue: "GENERATION_MODE_MISMATCH")
    /// Stepped generation needs message chunking.
    public static let dataChannelChunkingRequired = Code(rawValue: "DATA_CHANNEL_CHUNKING_REQUIRED")
    /// A step returned frames in an unknown encoding.
    public static let unsupportedFrameEncoding = Code(rawValue: "UNSUPPORTED_FRAME_ENCODING")
    /// The step was refused; nothing changed.
    public static let stepRefused = Code(rawValue: "step_refused")
    /// The session is not running.
    public static let stepNotReady = Code(rawValue: "step_not_ready")
    /// The step's result does not fit in a message.
    public static let stepResultTooLarge = Code(rawValue: "step_result_too_large")
    /// A command of the step failed.
    public static let stepCommandFailed = Code(rawValue: "step_command_failed")
    /// The session ended before the step did.
    public static let stepSessionEnded = Code(rawValue: "step_session_ended")
  }
}

extension ReactorError {
  /// The state does not allow the call.
  public static var invalidState: Code { Code.invalidState }
  /// The transport was lost, or the client disconnected meanwhile.
  public static var disconnected: Code { Code.disconnected }
  /// No HTTP answer: DNS, TLS, or a refused or broken connection.
  public static var networkError: Code { Code.networkError }
  /// No answer in time.
  public static var requestTimeout: Code { Code.requestTimeout }
  /// ICE, DTLS, SCTP, or an SDP that cannot be used.
  public static var transportError: Code { Code.transportError }
  /// HTTP 401 or 403: the token or key is missing, expired or not entitled.
  public static var unauthorized: Code { Code.unauthorized }
  /// HTTP 404, or a name that the session does not declare.
  public static var notFound: Code { Code.notFound }
  /// HTTP 409: for example, a session is running already.
  public static var conflict: Code { Code.conflict }
  /// HTTP 429; see `retryAfterMS`.
  public static var rateLimited: Code { Code.rateLimited }
  /// The arguments were refused, here or by the server.
  public static var badRequest: Code { Code.badRequest }
  /// HTTP 5xx.
  public static var serverError: Code { Code.serverError }
  /// HTTP 426 or 501: client and server speak different versions.
  public static var versionMismatch: Code { Code.versionMismatch }
  /// An answer could not be read.
  public static var decodeFailed: Code { Code.decodeFailed }
  /// The session is closed and will not come back.
  public static var sessionTerminal: Code { Code.sessionTerminal }
  /// A message is over the limit of the connection, or a body over its bound.
  public static var messageTooLarge: Code { Code.messageTooLarge }
  /// `close()` or the cancellation of the task ended the call.
  public static var aborted: Code { Code.aborted }
  /// The session is not being recorded.
  public static var recorderDisabled: Code { Code.recorderDisabled }
  /// Anything that has no code of its own.
  public static var internalError: Code { Code.internalError }
}
