import WireFormat

/// A message on its way out. Its fragments are slices of `bytes`, which are never copied before the packet.
package final class OutgoingMessage {
  let bytes: [UInt8]
  let stream: UInt16
  let payloadProtocol: UInt32
  let isUnordered: Bool
  /// nil: as often as it takes.
  let maxRetransmits: UInt32?
  /// When it is given up; nil: never.
  let expiresAt: Instant?

  /// How many bytes were made into chunks.
  var sentBytes = 0
  /// Number of the next fragment (I-DATA's FSN).
  var nextFragment: UInt32 = 0
  var sequence: UInt16 = 0
  var messageID: UInt32 = 0
  var firstTSN: UInt32 = 0
  var lastTSN: UInt32 = 0
  var isAbandoned = false

  package init(
    bytes: [UInt8], stream: UInt16, payloadProtocol: UInt32, isUnordered: Bool,
    reliability: DataChannelOptions.Reliability, at now: Instant
  ) {
    self.bytes = bytes
    self.stream = stream
    self.payloadProtocol = payloadProtocol
    self.isUnordered = isUnordered
    switch reliability {
    case .full: (maxRetransmits, expiresAt) = (nil, nil)
    case .maxRetransmits(let count): (maxRetransmits, expiresAt) = (count, nil)
    case .maxPacketLifetime(let milliseconds):
      (maxRetransmits, expiresAt) = (nil, now + .milliseconds(Int64(milliseconds)))
    }
  }

  var hasBegun: Bool { sentBytes > 0 }
  var isWhollySent: Bool { sentBytes >= bytes.count }
  var remaining: Int { bytes.count &- sentBytes }
  /// The protocol's own messages are none of the user's buffered amount.
  var isControl: Bool { payloadProtocol == PayloadProtocol.control }

  func hasExpired(at now: Instant) -> Bool {
    guard let expiresAt else { return false }
    return now >= expiresAt
  }
}
