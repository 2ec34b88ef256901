/// A message whose beginning came, and all that follows it without a hole.
struct PartialMessage {
  let message: UInt32
  let firstTSN: UInt32
  let payloadProtocol: UInt32
  /// The position that continues it.
  var nextPosition: UInt32
  var bytes: [UInt8]
  /// It outgrew the largest message allowed: what still comes of it is thrown away.
  var isDiscarded = false
}

/// A fragment that waits for those before it.
struct StrayFragment {
  let fragment: InboundFragment
  let bytes: [UInt8]
}

/// A whole ordered message that waits for those before it.
struct WaitingMessage {
  let message: UInt32
  let tsn: UInt32
  let inbound: InboundMessage
}
