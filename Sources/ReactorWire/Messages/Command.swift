import ReactorTypes

/// A command to the model.
package struct Command: Hashable, Sendable {
  package var type: String
  package var data: [String: JSONValue]
  /// Uploads by parameter name; the runtime puts them into the arguments.
  package var uploads: [String: FileRef]

  package init(_ type: String, _ data: [String: JSONValue] = [:], uploads: [String: FileRef] = [:]) {
    self.type = type
    self.data = data
    self.uploads = uploads
  }
}
