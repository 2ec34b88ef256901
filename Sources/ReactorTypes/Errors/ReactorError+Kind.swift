extension ReactorError {
  /// A closed set to switch over; codes that this version does not know are `other`.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The state does not allow the call.
    case state
    /// The transport was lost.
    case connection
    /// No HTTP answer.
    case network
    /// No answer in time.
    case timeout
    /// ICE, DTLS, SCTP or SDP.
    case transport
    /// Token or key.
    case authorization
    /// An unknown name or id.
    case notFound
    /// It exists or runs already.
    case conflict
    /// Too many requests.
    case rateLimit
    /// The arguments were refused.
    case request
    /// The server failed.
    case server
    /// Client and server, or their modes, do not fit together.
    case version
    /// An answer could not be read.
    case decoding
    /// The session is over.
    case sessionEnded
    /// Over a size limit.
    case size
    /// Closed or cancelled.
    case aborted
    /// The recorder is off.
    case recorder
    /// A step of a stepped session failed.
    case step
    /// Everything else, the model's own codes included.
    case other
  }

  /// What kind of failure this is, for an exhaustive `switch`.
  public var kind: Kind {
    switch code {
    case .invalidState: .state
    case .disconnected: .connection
    case .networkError: .network
    case .requestTimeout: .timeout
    case .transportError: .transport
    case .unauthorized: .authorization
    case .notFound: .notFound
    case .conflict: .conflict
    case .rateLimited: .rateLimit
    case .badRequest: .request
    case .serverError: .server
    case .versionMismatch, .generationModeMismatch, .dataChannelChunkingRequired: .version
    case .decodeFailed, .unsupportedFrameEncoding: .decoding
    case .sessionTerminal, .stepSessionEnded: .sessionEnded
    case .messageTooLarge, .stepResultTooLarge: .size
    case .aborted: .aborted
    case .recorderDisabled: .recorder
    case .stepRefused, .stepNotReady, .stepCommandFailed: .step
    default: .other
    }
  }
}
