/// Names a request of one conversation to its owner. Never goes over the wire, never repeats.
package struct RequestToken: Hashable, Sendable {
  package let rawValue: UInt64
}
