/// A message as it goes over a data channel, before chunking.
package struct WireMessage: Hashable, Sendable {
  package var channel: ChannelLabel
  /// A text message (JSON), or a binary one.
  package var isText: Bool
  package var bytes: [UInt8]

  package init(channel: ChannelLabel, isText: Bool, bytes: [UInt8]) {
    self.channel = channel
    self.isText = isText
    self.bytes = bytes
  }
}
