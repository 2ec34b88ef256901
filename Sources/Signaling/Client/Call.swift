#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import ReactorTypes
import WireFormat

/// One HTTP call of signalling, before it meets a token, a retry policy and a transport.
struct Call: Sendable {
  enum Authorization: Sendable {
    /// A session token, asked for before every attempt.
    case token(TokenContext)
    case apiKey(String)
    /// Presigned URLs and foreign hosts: none, whatever is known.
    case none
  }

  var step: SignalingStep
  var method: String
  var url: URL
  var headers: [String: String] = [:]
  /// A JSON body; members of `RequestOptions.extraBody` join it when it is an object.
  var json: JSONValue?
  /// A raw body with its content type.
  var raw: (bytes: Data, type: String)?
  var authorization: Authorization
  /// Goes to a storage host: the client's default headers are not for it.
  var isForeign = false
  var rule: RetryMachine.Rule = .repeatable
  /// Whether an attempt that is on its way is waited for, for a moment, when the caller is cancelled.
  var outlivesCaller = false
  var options = RequestOptions()
  /// The largest body of a success that is read.
  var maxBody = 16 << 20
  /// The limit of one attempt when the options name none.
  var defaultTimeout: Duration = .seconds(30)
}

/// A success, with its whole body.
struct Answer: Sendable {
  var status: Int
  var head: HTTPResponse
  var body: [UInt8]
}
