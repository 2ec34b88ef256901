import WireFormat

/// The header of a handshake message or of a fragment of one (RFC 6347 section 4.2.2).
package struct DTLSHandshakeHeader: Hashable, Sendable {
  /// 1 is ClientHello, 2 ServerHello, 11 Certificate, 12 ServerKeyExchange, 14 ServerHelloDone, …
  package let type: UInt8
  /// Bytes of the whole message.
  package let length: UInt32
  package let messageSequence: UInt16
  package let fragmentOffset: UInt32
  package let fragmentLength: UInt32

  /// Reads the header at the start of an unencrypted handshake record's fragment.
  package init(_ fragment: RawSpan) throws(WireError) {
    var reader = ByteReader(fragment)
    type = try reader.uint8()
    length = try reader.uint24()
    messageSequence = try reader.uint16()
    fragmentOffset = try reader.uint24()
    fragmentLength = try reader.uint24()
  }
}
