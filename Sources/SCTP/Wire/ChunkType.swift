/// Chunk types (RFC 9260 section 3.2 and the extensions spoken here).
enum ChunkType {
  static let data: UInt8 = 0
  static let initiation: UInt8 = 1
  static let initiationAck: UInt8 = 2
  static let selectiveAck: UInt8 = 3
  static let heartbeat: UInt8 = 4
  static let heartbeatAck: UInt8 = 5
  static let abort: UInt8 = 6
  static let shutdown: UInt8 = 7
  static let shutdownAck: UInt8 = 8
  static let error: UInt8 = 9
  static let cookieEcho: UInt8 = 10
  static let cookieAck: UInt8 = 11
  static let shutdownComplete: UInt8 = 14
  /// RFC 8260.
  static let interleavedData: UInt8 = 64
  /// RFC 6525.
  static let reconfiguration: UInt8 = 130
  /// RFC 3758.
  static let forwardTSN: UInt8 = 192
  /// RFC 8260.
  static let interleavedForwardTSN: UInt8 = 194

  /// What the two highest bits of an unknown type ask for.
  static func stopsPacket(_ type: UInt8) -> Bool { type & 0x80 == 0 }
  static func isReported(_ type: UInt8) -> Bool { type & 0x40 != 0 }
}

/// Flags of DATA and I-DATA (RFC 9260 section 3.3.1).
enum DataFlags {
  static let end: UInt8 = 0x01
  static let beginning: UInt8 = 0x02
  static let unordered: UInt8 = 0x04
  static let immediate: UInt8 = 0x08
}

/// Error causes (RFC 9260 section 3.3.10).
enum ErrorCause {
  static let invalidStream: UInt16 = 1
  static let missingParameter: UInt16 = 2
  static let staleCookie: UInt16 = 3
  static let unrecognizedChunk: UInt16 = 6
  static let invalidParameter: UInt16 = 7
  static let unrecognizedParameters: UInt16 = 8
  static let noUserData: UInt16 = 9
  static let cookieWhileShuttingDown: UInt16 = 10
  static let restartWithNewAddresses: UInt16 = 11
  static let userInitiatedAbort: UInt16 = 12
  static let protocolViolation: UInt16 = 13
}

/// Sizes that both directions use.
enum WireSize {
  static let commonHeader = 12
  static let chunkHeader = 4
  /// DATA with its chunk header.
  static let dataHeader = 16
  /// I-DATA with its chunk header.
  static let interleavedDataHeader = 20

  /// `count` rounded up to the 4 bytes that chunks and parameters are padded to.
  static func padded(_ count: Int) -> Int { (count &+ 3) & ~3 }
}
