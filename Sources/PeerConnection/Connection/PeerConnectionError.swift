import SCTP
import SDP

/// Why a call on a connection was refused.
package enum PeerConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  case closed
  /// The call does not fit what has been negotiated so far.
  case invalidState(expected: String)
  /// A description that cannot be used.
  case description(SDPError)
  /// A section, track or channel that does not exist.
  case notFound(String)
  case messageTooLarge(size: Int, limit: Int)
  case dataChannel(DataChannelError)
  /// This side's certificate could not be made.
  case identity(String)

  package var description: String {
    switch self {
    case .closed: "the connection is closed"
    case .invalidState(let expected): expected
    case .description(let error): "the session description cannot be used: \(error)"
    case .notFound(let what): "there is no \(what)"
    case .messageTooLarge(let size, let limit):
      "the message has \(size) bytes, the peer takes at most \(limit)"
    case .identity(let reason): "no DTLS certificate could be made: \(reason)"
    case .dataChannel(let error): "the data channel refused: \(error)"
    }
  }
}
