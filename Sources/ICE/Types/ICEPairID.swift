/// Names a candidate pair within its agent; never used twice.
package struct ICEPairID: Hashable, Sendable {
  package let number: Int
}
