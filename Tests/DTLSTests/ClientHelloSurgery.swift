import WireFormat

/// Cuts up and lengthens the datagram of a ClientHello: one record with one unfragmented message.
enum ClientHelloSurgery {
  /// Two datagrams with the message's bytes before and from `offset`.
  ///
  /// Their record numbers lie ahead of those that the client will use, within the replay window.
  static func split(_ datagram: [UInt8], at offset: Int) -> ([UInt8], [UInt8]) {
    let body = Array(datagram[25...])
    return (
      record(number: 50, bodyLength: body.count, offset: 0, fragment: Array(body[..<offset])),
      record(number: 51, bodyLength: body.count, offset: offset, fragment: Array(body[offset...]))
    )
  }

  /// The same ClientHello with a padding extension (RFC 7685) that makes its body `length` bytes long.
  static func padded(_ datagram: [UInt8], to length: Int) -> [UInt8] {
    var body = Array(datagram[25...])
    // The extensions' length stands behind version, random, session, cookie, ciphers and compression.
    var position = 2 + 32
    position += 1 + Int(body[position])
    position += 1 + Int(body[position])
    position += 2 + Int(body[position]) << 8 + Int(body[position + 1])
    position += 1 + Int(body[position])
    let padding = length - body.count - 4
    var writer = ByteWriter()
    writer.write(UInt16(21))
    writer.write(UInt16(padding))
    writer.writeZeros(padding)
    body += writer.bytes
    let extensions = body.count - position - 2
    body[position] = UInt8(extensions >> 8)
    body[position + 1] = UInt8(extensions & 0xFF)
    return record(number: 0, bodyLength: body.count, offset: 0, fragment: body)
  }

  private static func record(number: UInt32, bodyLength: Int, offset: Int, fragment: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt8(22))
    writer.write(UInt16(0xFEFF))
    writer.write(UInt16(0))
    writer.write(UInt16(0))
    writer.write(number)
    writer.write(UInt16(12 + fragment.count))
    writer.write(UInt8(1))
    writer.write24(UInt32(bodyLength))
    writer.write(UInt16(0))
    writer.write24(UInt32(offset))
    writer.write24(UInt32(fragment.count))
    writer.write(fragment)
    return writer.bytes
  }
}
