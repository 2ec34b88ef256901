/// How a connection uses the machine's network.
package struct DriverConfiguration: Sendable {
  /// UDP ports to bind to; nil: the system chooses.
  package var portRange: ClosedRange<UInt16>?
  /// Whether loopback addresses are offered too: for a peer on the same machine.
  package var includesLoopback = false
  /// Addresses that get a socket at most, best first.
  package var addressLimit = 16

  package init() {}
}
