import ReactorTypes

/// Why an HTTP exchange with the platform failed. Holds no credentials: texts of servers come redacted.
package struct SignalingError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// An answer that is no success.
    case status(Int)
    /// No answer; the text names the layer (DNS, TLS, connection).
    case network(String)
    /// No answer within the attempt's time limit, or the deadline of all attempts has passed.
    case timedOut
    /// A poll's schedule is used up.
    case pollExhausted
    /// The task was cancelled.
    case cancelled
    /// A success whose body is not what it must be.
    case undecodable(String)
    /// A body or list over its limit.
    case tooLarge(limit: Int)
    /// The session is over; the text is its state.
    case sessionTerminal(String)
    /// Refused here, before anything was sent.
    case refused(String)
    /// The state does not allow it: another session runs here, the session is gone.
    case invalidState(String)
    /// A token store or custom transport threw an error of the API's own kind.
    case passed(ReactorError)
  }

  package var step: SignalingStep
  package var cause: Cause
  /// `Retry-After` in whole seconds ×1000.
  package var retryAfterMS: Double?
  /// The JSON body of the answer, redacted; nil when it was none or too long.
  package var body: JSONValue?
  /// What the server said, as one line of redacted text.
  package var detail: String?

  package init(
    _ step: SignalingStep, _ cause: Cause, retryAfterMS: Double? = nil, body: JSONValue? = nil,
    detail: String? = nil
  ) {
    self.step = step
    self.cause = cause
    self.retryAfterMS = retryAfterMS
    self.body = body
    self.detail = detail
  }
}

extension SignalingError {
  /// Whether a local runtime says that it is still closing its last session: 3.10 with 409, 2.10 with 400.
  var saysClosing: Bool {
    (cause == .status(409) || cause == .status(400)) && detail?.lowercased().contains("closing") == true
  }

  /// The one table from HTTP failures to what a caller sees.
  package func reactorError(operation: String?) -> ReactorError {
    let code: ReactorError.Code
    var status: Int?
    var retryAfterMS = retryAfterMS
    let text: String
    switch cause {
    case .status(let number):
      code = ReactorError.Code(httpStatus: number)
      // A version mismatch says neither status nor when to come back: no retry can help.
      if code == .versionMismatch { retryAfterMS = nil } else { status = number }
      text = "HTTP \(number)\(detail.map { ": \($0)" } ?? "")"
    case .network(let reason): (code, text) = (.networkError, reason)
    case .timedOut: (code, text) = (.requestTimeout, "no answer in time")
    case .pollExhausted: (code, text) = (.requestTimeout, "gave up waiting")
    case .cancelled: (code, text) = (.aborted, "cancelled")
    case .undecodable(let reason): (code, text) = (.decodeFailed, reason)
    case .tooLarge(let limit): (code, text) = (.messageTooLarge, "more than \(limit) bytes")
    case .sessionTerminal(let state): (code, text) = (.sessionTerminal, "the session is \(state)")
    case .refused(let reason): (code, text) = (.badRequest, reason)
    case .invalidState(let reason): (code, text) = (.invalidState, reason)
    case .passed(let error): return error.with(operation: operation)
    }
    return ReactorError(
      code: code, message: "\(step.rawValue): \(text)", recoverable: code.isRecoverable, status: status,
      operation: operation, retryAfterMS: retryAfterMS, timestampMS: nil, entry: nil, commandCode: nil,
      body: body)
  }
}
