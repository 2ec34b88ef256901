/// Names a TCP or TLS connection that the driver keeps for the agent; never used twice.
package struct ICEStreamID: Hashable, Sendable {
  package let number: Int
}
