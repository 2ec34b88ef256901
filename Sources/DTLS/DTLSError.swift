/// Why a handshake or a connection failed. Texts come from fixed tables; none holds a secret.
package enum DTLSError: Error, Hashable, Sendable {
  /// OpenSSL could not set something up: out of memory, or built without what we need.
  case libraryFailure(reason: String)
  /// A certificate or key that was handed in cannot be used.
  case invalidCertificate
  /// The peer's certificate matches none of the signalled fingerprints (RFC 8122 section 6.2). The peer is
  /// told with ``DTLSAlert/badCertificate``.
  case fingerprintMismatch
  /// The peer showed no certificate.
  case noPeerCertificate
  /// The peer ended the handshake or the connection with this fatal alert.
  case alertReceived(DTLSAlert)
  /// A flight was sent 13 times and not answered.
  case timedOut
  /// What the peer sent broke the protocol, or both have no version, cipher or group in common.
  case handshakeFailed(reason: String)
  /// The peer sent more before the handshake's end than ``DTLSTransport/handshakeByteLimit``.
  case handshakeTooLarge
  /// Application data before ``DTLSEvent/connected(_:)``, or after the end.
  case notConnected
  /// Application data of more than `limit` bytes.
  case messageTooLarge(limit: Int)
}
