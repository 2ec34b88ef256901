import WireFormat

/// How bytes leave: from one of the driver's UDP sockets, or over one of its streams.
package enum ICETransmitPath: Hashable, Sendable {
  case datagram(local: SocketAddress, remote: SocketAddress)
  case stream(ICEStreamID)
}
