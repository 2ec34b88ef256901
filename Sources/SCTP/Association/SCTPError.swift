/// Why a message was not taken for sending.
package enum SCTPError: Error, Hashable, Sendable {
  /// The association is closed, or shutting down.
  case closed
  /// The stream identifier is not among the negotiated ones, or is being reset.
  case noSuchStream(UInt16)
  /// `sendBufferSize` would be exceeded.
  case sendBufferFull(limit: Int)
  /// SCTP has no messages without bytes.
  case emptyMessage
}
