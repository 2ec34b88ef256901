import WireFormat

/// Parameter types (RFC 9260 section 3.3.2.1 and extensions).
enum ParameterType {
  static let heartbeatInfo: UInt16 = 1
  static let cookie: UInt16 = 7
  static let unrecognized: UInt16 = 8
  static let outgoingReset: UInt16 = 13
  static let incomingReset: UInt16 = 14
  static let associationReset: UInt16 = 15
  static let resetResponse: UInt16 = 16
  static let addOutgoingStreams: UInt16 = 17
  static let addIncomingStreams: UInt16 = 18
  static let zeroChecksum: UInt16 = 0x8001
  static let supportedExtensions: UInt16 = 0x8008
  static let forwardTSNSupported: UInt16 = 0xC000
}

extension ByteReader {
  /// Reads the header of a parameter or cause: its type and the length of its value, which is what follows.
  ///
  /// Call `skipPadding` after the value.
  mutating func parameterHeader() throws(WireError) -> (type: UInt16, length: Int) {
    let type = try uint16()
    let length = Int(try uint16())
    guard length >= 4, length - 4 <= remaining else {
      throw .truncated(needed: length, available: remaining + 4)
    }
    return (type, length - 4)
  }

  /// Skips what pads a value of `length` bytes; the last one of a chunk may come without.
  mutating func skipPadding(after length: Int) {
    _ = try? skip(min(WireSize.padded(length) - length, remaining))
  }
}
