import ReactorTypes

/// What a model says: as the reply to a command, or by itself.
package struct ModelMessage: Hashable, Sendable {
  package var type: String
  /// nil: the message carries none.
  package var data: JSONValue?

  package init(_ type: String, _ data: JSONValue? = nil) {
    self.type = type
    self.data = data
  }

  /// `{"type":…,"data":…}`, as `onMessage` delivers it.
  package var json: JSONValue {
    ["type": .string(type), "data": data ?? .object([:])]
  }
}
