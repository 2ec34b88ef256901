import ReactorTypes

/// The runtime's answer to an offer.
package struct SDPAnswer: Hashable, Sendable {
  package let sdp: String
  /// The id to use from now on; it may differ from the one asked for.
  package let connectionID: UInt32

  package init(sdp: String, connectionID: UInt32) {
    self.sdp = sdp
    self.connectionID = connectionID
  }
}
