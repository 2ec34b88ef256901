import WireFormat

/// Walks over the records of a datagram without decrypting them.
///
/// OpenSSL reads the records itself; this reader sorts out what is not DTLS, counts what an unauthenticated
/// peer makes OpenSSL keep, and lets tests look at flights.
package struct DTLSRecordReader: ~Escapable {
  private var reader: ByteReader

  @_lifetime(copy datagram)
  package init(_ datagram: RawSpan) {
    reader = ByteReader(datagram)
  }

  package var isAtEnd: Bool { reader.isAtEnd }

  /// The next record's header; its fragment is handed to `body`. nil at the end of the datagram.
  ///
  /// After an error the rest of the datagram cannot be read.
  package mutating func next(
    _ body: (RawSpan) -> Void = { _ in }
  ) throws(DTLSRecordError) -> DTLSRecordHeader? {
    guard let first = reader.peek() else { return nil }
    do {
      switch first {
      case 20...31: return try plain(body)
      case 32...63: return try unified(body)
      default: throw DTLSRecordError.unknownContentType(first)
      }
    } catch let error as DTLSRecordError {
      throw error
    } catch {
      throw .truncated
    }
  }

  private mutating func plain(_ body: (RawSpan) -> Void) throws -> DTLSRecordHeader {
    let type = DTLSContentType(rawValue: try reader.uint8())
    let version = try reader.uint16()
    // 0xFEFF is DTLS 1.0, which a first ClientHello may still carry; 0xFEFD is DTLS 1.2.
    guard version >> 8 == 0xFE else { throw DTLSRecordError.unknownVersion(version) }
    let epoch = try reader.uint16()
    let sequenceNumber = UInt64(try reader.uint16()) << 32 | UInt64(try reader.uint32())
    let length = Int(try reader.uint16())
    body(try reader.bytes(length))
    return .plain(type: type, version: version, epoch: epoch, sequenceNumber: sequenceNumber)
  }

  private mutating func unified(_ body: (RawSpan) -> Void) throws -> DTLSRecordHeader {
    let flags = try reader.uint8()
    // Connection identifiers are negotiated, and nobody here negotiates them.
    guard flags & 0x10 == 0 else { throw DTLSRecordError.connectionIdentifier }
    try reader.skip(flags & 0x08 == 0 ? 1 : 2)
    if flags & 0x04 == 0 {
      body(reader.rest())
    } else {
      let length = Int(try reader.uint16())
      body(try reader.bytes(length))
    }
    return .unified(epochLowBits: flags & 3)
  }
}
