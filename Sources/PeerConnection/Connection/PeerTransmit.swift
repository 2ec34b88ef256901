import ICE
import WireFormat

/// A datagram, or a piece of a TURN stream, that the driver is to send.
package struct PeerTransmit {
  package let path: ICETransmitPath
  /// Goes back to the pool once it was sent.
  package let buffer: PacketBuffer
}
