/// Which candidates may be used.
package enum ICETransportPolicy: Sendable, Hashable {
  case all
  /// Only relayed ones: the peer never learns a local address.
  case relay
}
