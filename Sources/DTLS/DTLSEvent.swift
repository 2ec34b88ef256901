/// What a ``DTLSTransport`` reports.
package enum DTLSEvent: Sendable {
  /// The handshake is done and the peer's certificate matches a signalled fingerprint.
  case connected(DTLSConnection)
  /// The peer sent close_notify. It was answered; nothing more can be sent.
  case closed
  /// The end, by an error. An alert for the peer may still wait in `nextTransmit()`.
  case failed(DTLSError)
}
