import WireFormat

/// How a channel carries its messages (RFC 8831 section 6.1, RFC 8832 section 5.1).
package struct DataChannelOptions: Hashable, Sendable {
  package var isOrdered = true
  package var reliability = Reliability.full
  /// The subprotocol; at most 65 535 bytes of UTF-8.
  package var `protocol` = ""
  /// Both sides agreed on this stream identifier by other means: nothing is said about it in-band.
  package var negotiatedID: UInt16?
  package var priority = Priority.normal

  package init() {}

  /// How hard a message is tried.
  package enum Reliability: Hashable, Sendable {
    case full
    /// At most so many retransmissions of any part; 0 sends once.
    case maxRetransmits(UInt32)
    /// Given up this many milliseconds after `send`.
    case maxPacketLifetime(milliseconds: UInt32)
  }

  /// RFC 8831 section 6.4; the weight with which channels share the path.
  package enum Priority: UInt16, Hashable, Sendable {
    case belowNormal = 128
    case normal = 256
    case high = 512
    case extraHigh = 1024

    /// The class that a wire value belongs to.
    package init(wireValue: UInt16) {
      switch wireValue {
      case ...128: self = .belowNormal
      case ...256: self = .normal
      case ...512: self = .high
      default: self = .extraHigh
      }
    }
  }
}
