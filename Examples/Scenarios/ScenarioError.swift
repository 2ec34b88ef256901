/// Something did not happen that should have.
package struct ScenarioError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
