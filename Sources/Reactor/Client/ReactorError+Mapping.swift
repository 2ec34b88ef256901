import PeerConnection
import ReactorTypes
import ReactorWire
import Signaling

extension ReactorError {
  /// The one table from what the modules below throw to what a caller sees.
  static func from(_ error: any Error, operation: String) -> ReactorError {
    switch error {
    case let error as ReactorError: error.with(operation: error.operation ?? operation)
    case let error as SignalingError: error.reactorError(operation: operation)
    case let error as RequestFailure: error.reactorError(operation: operation)
    case let error as PeerConnectionError: from(error, operation: operation)
    case is CancellationError: ReactorError(.aborted, "the call was cancelled", operation: operation)
    default: ReactorError(.internalError, Redaction.redact("\(error)"), operation: operation)
    }
  }

  private static func from(_ error: PeerConnectionError, operation: String) -> ReactorError {
    switch error {
    case .closed: ReactorError(.disconnected, "the connection is closed", operation: operation)
    case .messageTooLarge: ReactorError(.messageTooLarge, "\(error)", operation: operation)
    case .invalidState, .notFound: ReactorError(.invalidState, "\(error)", operation: operation)
    case .description, .dataChannel, .identity:
      ReactorError(.transportError, "\(error)", operation: operation)
    }
  }

  /// With the time of its event.
  func stamped() -> ReactorError {
    with(operation: operation, timestampMS: SystemClock().unixMilliseconds())
  }
}
