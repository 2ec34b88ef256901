/// An error that the runtime or the model reports; its code is open and kept verbatim.
package struct RemoteError: Hashable, Sendable, Error {
  package var code: String
  package var message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
