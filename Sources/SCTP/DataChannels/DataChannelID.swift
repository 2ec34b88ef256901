/// Names a channel of one transport for its whole life.
///
/// Not the stream identifier: that one is known only once the DTLS roles are, and is used anew after a close.
package struct DataChannelID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}
