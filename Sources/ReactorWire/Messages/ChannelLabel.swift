/// The two data channels of a connection.
package enum ChannelLabel: String, Sendable, CaseIterable {
  case data
  case control

  /// As the runtime keys channels: `control` is control, any other label is data.
  package init(label: String) {
    self = label == ChannelLabel.control.rawValue ? .control : .data
  }
}
