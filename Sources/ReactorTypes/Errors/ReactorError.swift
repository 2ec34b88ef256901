#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What any call of this SDK throws, and what `onError` delivers.
///
/// Match it by code: `catch ReactorError.unauthorized { … }`, or switch over ``kind``.
public struct ReactorError: Error, Sendable, Hashable {
  /// What went wrong; a code of the platform or of the model is passed through unchanged.
  public let code: Code
  /// For people. Holds no credentials.
  public let message: String
  /// Whether the same call can succeed later without a change; follows from the code alone.
  public let recoverable: Bool
  /// The HTTP status, when an HTTP answer caused this.
  public let status: Int?
  /// The call that failed (`connect`, `send_command` …); nil for a transport that dropped by itself.
  public let operation: String?
  /// How long the server asks to wait, in milliseconds.
  public let retryAfterMS: Double?
  /// When it happened, in milliseconds of Unix time; set on `onError` only.
  public let timestampMS: Double?
  /// Stepped sessions: the entry of the step that was refused.
  public let entry: String?
  /// Stepped sessions: the code of the command that failed.
  public let commandCode: String?
  /// The body of the HTTP answer when it was JSON: at most 64 KiB, credentials removed.
  public let body: JSONValue?

  /// An error with all that callers can set.
  public init(
    code: Code, message: String, recoverable: Bool = false, status: Int? = nil,
    operation: String? = nil, retryAfterMS: Double? = nil, timestampMS: Double? = nil
  ) {
    self.init(
      code: code, message: message, recoverable: recoverable, status: status, operation: operation,
      retryAfterMS: retryAfterMS, timestampMS: timestampMS, entry: nil, commandCode: nil, body: nil)
  }

  /// An error whose ``recoverable`` follows from its code.
  public init(_ code: Code, _ message: String, operation: String? = nil) {
    self.init(code: code, message: message, recoverable: code.isRecoverable, operation: operation)
  }

  /// Every field; what the SDK itself builds errors with.
  package init(
    code: Code, message: String, recoverable: Bool, status: Int?, operation: String?,
    retryAfterMS: Double?, timestampMS: Double?, entry: String?, commandCode: String?, body: JSONValue?
  ) {
    self.code = code
    self.message = message
    self.recoverable = recoverable
    self.status = status
    self.operation = operation
    self.retryAfterMS = retryAfterMS
    self.timestampMS = timestampMS
    self.entry = entry
    self.commandCode = commandCode
    self.body = body
  }

  /// The same error with another operation, or stamped with the time of its event.
  package func with(operation: String? = nil, timestampMS: Double? = nil) -> ReactorError {
    ReactorError(
      code: code, message: message, recoverable: recoverable, status: status,
      operation: operation ?? self.operation, retryAfterMS: retryAfterMS,
      timestampMS: timestampMS ?? self.timestampMS, entry: entry, commandCode: commandCode, body: body)
  }
}

/// Lets `catch ReactorError.unauthorized` match an error by its code.
public func ~= (code: ReactorError.Code, error: any Error) -> Bool {
  (error as? ReactorError)?.code == code
}

extension ReactorError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}

extension ReactorError: CustomStringConvertible {
  /// Code, message, operation and status in one line.
  public var description: String {
    var text = "\(code): \(message)"
    if let operation { text += " (operation \(operation))" }
    if let status { text += " (HTTP \(status))" }
    return text
  }
}
