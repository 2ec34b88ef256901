import WireFormat

/// The clocks of a conversation.
package struct ConversationTiming: Hashable, Sendable {
  /// The limit of commands and control requests.
  package var requestTimeout: Interval = .seconds(10)
  /// The limit of a command that names an upload. The runtime itself waits 10 s for the file, so the client must
  /// wait longer to hear what came of it.
  package var uploadCommandTimeout: Interval = .seconds(15)
  package var stepTimeout: Interval = .seconds(300)
  /// Binary generation: at once and then every 10 s. The runtime drops a client after 20 s of silence.
  package var pingInterval: Interval = .seconds(10)
  /// JSON generation: first after one interval.
  package var legacyPingInterval: Interval = .seconds(5)
  /// Binary generation: quality reports. nil: none.
  package var reportInterval: Interval? = .seconds(5)

  package init() {}
}
