/// The one table from codes and statuses to what an error says. Nothing else decides `recoverable`.
extension ReactorError.Code {
  /// Whether the same call can succeed later without a change.
  package var isRecoverable: Bool {
    switch self {
    case .disconnected, .networkError, .requestTimeout, .transportError, .rateLimited, .serverError: true
    default: false
    }
  }

  /// The code of an HTTP answer that was not a success (wire protocol section 9).
  package init(httpStatus status: Int) {
    switch status {
    case 401, 403: self = .unauthorized
    case 404: self = .notFound
    case 409: self = .conflict
    case 429: self = .rateLimited
    case 426, 501: self = .versionMismatch
    case 500...: self = .serverError
    // Redirects are never followed, so a 3xx means that the API URL is not the one to use.
    default: self = .badRequest
    }
  }
}
