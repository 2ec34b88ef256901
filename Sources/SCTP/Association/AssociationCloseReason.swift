/// Why an association ended.
package enum AssociationCloseReason: Hashable, Sendable {
  /// An orderly shutdown, by either side.
  case shutdown
  /// The other side sent ABORT; `cause` is its first error cause (RFC 9260 section 3.3.10), if any.
  case abortedByPeer(cause: UInt16?, detail: String)
  /// This side called `abort`.
  case abortedLocally(detail: String)
  /// INIT or COOKIE ECHO went unanswered.
  case handshakeTimedOut
  /// The other side stopped answering.
  case peerUnreachable
  /// The other side broke the protocol; the association was aborted.
  case protocolViolation(detail: String)
}
