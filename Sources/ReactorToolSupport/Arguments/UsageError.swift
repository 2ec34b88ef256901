/// A command line that cannot be meant; `description` says why.
package struct UsageError: Error, CustomStringConvertible, Equatable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
