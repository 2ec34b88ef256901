import WireFormat

/// Results of a RE-CONFIG request (RFC 6525 section 4.4).
enum ResetResult {
  static let nothingToDo: UInt32 = 0
  static let performed: UInt32 = 1
  static let denied: UInt32 = 2
  static let badSequence: UInt32 = 5
  static let inProgress: UInt32 = 6
}

/// Both directions of stream reset (RFC 6525): one request of each side at a time.
struct StreamReset {
  struct Request {
    var sequence: UInt32
    var streams: [UInt16]
    var lastTSN: UInt32
    var isTransmissionDue = true
    var deadline: Instant?
    var attempts = 0
  }

  /// A request of the other side that waits until all that was sent before it has come.
  struct Deferred {
    var sequence: UInt32
    var streams: [UInt16]
    var lastTSN: UInt32
  }

  /// Outgoing streams that are to be reset once their queues are empty.
  var wanted: [UInt16] = []
  var request: Request?
  var nextSequence: UInt32
  /// Sequence number of the next request that the other side may make.
  var expectedSequence: UInt32
  var lastResult: UInt32 = ResetResult.nothingToDo
  var deferred: Deferred?

  init(localInitialTSN: UInt32, peerInitialTSN: UInt32) {
    nextSequence = localInitialTSN
    expectedSequence = peerInitialTSN
  }

  func contains(_ stream: UInt16) -> Bool {
    wanted.contains(stream) || request?.streams.contains(stream) == true
  }
}

extension StreamReset.Request {
  /// The RE-CONFIG chunk with an Outgoing SSN Reset Request parameter.
  func chunk(responseSequence: UInt32) -> [UInt8] {
    var writer = ByteWriter(capacity: 16 + streams.count * 2)
    writer.write(sequence)
    writer.write(responseSequence)
    writer.write(lastTSN)
    for stream in streams { writer.write(stream) }
    return ChunkWriter.chunk(
      ChunkType.reconfiguration, ChunkWriter.parameter(ParameterType.outgoingReset, writer.bytes))
  }
}
