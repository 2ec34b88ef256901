import STUN
import WireFormat

/// A number that stands for a peer (RFC 8656 section 12). A binding lasts 600 s.
struct TURNChannel {
  static let refreshInterval = Interval.seconds(480)

  let number: UInt16
  let peer: SocketAddress
  let header: [UInt8]
  /// nil until confirmed: then Send indications go on.
  var boundAt: Instant?

  init(number: UInt16, peer: SocketAddress) {
    self.number = number
    self.peer = peer
    header = ChannelData.headerTemplate(channel: number)
  }

  var refreshTime: Instant? { boundAt.map { $0 + TURNChannel.refreshInterval } }
}
