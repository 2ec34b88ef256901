import SCTP

/// A data channel of a live connection, as it is opened: its label, by which it is known, and its options.
package struct LiveChannel: Sendable, Hashable {
  package let label: String
  package let options: DataChannelOptions

  package init(_ label: String, options: DataChannelOptions = DataChannelOptions()) {
    self.label = label
    self.options = options
  }
}
