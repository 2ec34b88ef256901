/// The data-channel section to be offered, or accepted in an answer.
package struct DataSectionOffer: Hashable, Sendable {
  /// In an answer the offer's mid is taken instead.
  package var mid: String
  package var sctpPort: UInt16
  /// The largest message taken, in bytes. The runtimes cut at 65 536 whatever is said, so never less.
  package var maxMessageSize: UInt64
  /// This side's INIT chunk, so that both may leave out the SCTP handshake; nil: not offered.
  package var sctpInit: [UInt8]?

  package init(
    mid: String, sctpPort: UInt16 = 5000, maxMessageSize: UInt64 = 262_144, sctpInit: [UInt8]? = nil
  ) {
    self.mid = mid
    self.sctpPort = sctpPort
    self.maxMessageSize = maxMessageSize
    self.sctpInit = sctpInit
  }
}
