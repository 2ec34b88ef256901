/// Names a name look-up that the driver does for the agent; never used twice.
package struct ICEResolutionID: Hashable, Sendable {
  package let number: Int
}
