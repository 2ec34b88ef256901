import ReactorTypes

/// Why a request has no reply.
package enum RequestFailure: Error, Hashable, Sendable {
  /// The runtime or the model refused it.
  case remote(RemoteError)
  case clipFailed(reason: String)
  case timedOut
  /// The connection went meanwhile.
  case disconnected
  /// The client was closed, or the caller cancelled.
  case aborted
  /// The reply cannot be read, or lacks what it must have.
  case undecodable
  /// Larger than what the connection carries; nothing was sent.
  case tooLarge(size: Int, limit: Int)
  /// The channel is not open; nothing was sent.
  case channelClosed
  /// The connection's generation has no such request.
  case unsupported
  /// Too many requests wait for their replies; nothing was sent.
  case tooMany(limit: Int)
  /// A number that is NaN or infinite, or values nested too deep; nothing was sent.
  case notRepresentable
}

extension RequestFailure {
  /// The one table from what happened on the data channels to what a caller sees.
  package func reactorError(operation: String) -> ReactorError {
    switch self {
    case .remote(let error):
      let code = ReactorError.Code(rawValue: error.code)
      return ReactorError(code, error.message, operation: operation)
    case .clipFailed(let reason):
      let isOff = reason.contains("recorder disabled") || reason.contains("encoder crashed")
      return ReactorError(
        isOff ? .recorderDisabled : .internalError, "The clip was refused: \(reason)", operation: operation)
    case .timedOut:
      return ReactorError(.requestTimeout, "The runtime did not answer in time", operation: operation)
    case .disconnected:
      return ReactorError(.disconnected, "The connection went before the answer came", operation: operation)
    case .aborted:
      return ReactorError(.aborted, "The call was cancelled or the client closed", operation: operation)
    case .undecodable:
      return ReactorError(.decodeFailed, "The runtime's answer cannot be read", operation: operation)
    case .tooLarge(let size, let limit):
      return ReactorError(
        .messageTooLarge, "The message takes \(size) bytes, the connection carries \(limit)",
        operation: operation)
    case .channelClosed:
      return ReactorError(.invalidState, "The data channel is not open", operation: operation)
    case .unsupported:
      return ReactorError(
        .invalidState, "This runtime speaks the older protocol, which has no such request",
        operation: operation)
    case .tooMany(let limit):
      return ReactorError(
        .invalidState, "\(limit) requests wait for their answers already", operation: operation)
    case .notRepresentable:
      return ReactorError(
        .badRequest, "The arguments hold NaN, infinity or too deeply nested values", operation: operation)
    }
  }
}
